DO $$
BEGIN
    IF to_regclass('outbox_message') IS NOT NULL AND to_regclass('order_lines') IS NULL THEN
        RAISE EXCEPTION 'The tables of the outbox came before those of the application';
    END IF;
END $$;

CREATE TABLE order_lines (id bigint PRIMARY KEY REFERENCES orders);
