CREATE TABLE orders (
    id          uuid PRIMARY KEY,
    customer_id text NOT NULL,
    amount      numeric(12, 2) NOT NULL CHECK (amount > 0),
    status      text NOT NULL CHECK (status IN ('PLACED', 'CANCELLED')),
    created_at  timestamptz NOT NULL DEFAULT now()
);
