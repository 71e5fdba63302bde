CREATE TABLE customer_total (
    customer text PRIMARY KEY,
    total    numeric(12, 2) NOT NULL
);
