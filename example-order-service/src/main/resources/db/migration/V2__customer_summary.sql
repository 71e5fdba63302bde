CREATE TABLE customer_summary (
    customer_id text PRIMARY KEY,
    order_count bigint NOT NULL,
    total       numeric NOT NULL
);
