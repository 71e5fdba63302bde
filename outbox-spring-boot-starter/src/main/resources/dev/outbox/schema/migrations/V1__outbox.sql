-- Tables of the outbox. Names are unqualified: the schema is the connection's first, or the one in outbox.schema.

-- Each row is updated once, which adds an entry beside its old one in both unique indexes: pages that are half empty
-- take it without a split, which makes marking a fifth cheaper. They end up full.
CREATE TABLE outbox_message (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY WITH (fillfactor = 50),
    message_id       uuid NOT NULL DEFAULT gen_random_uuid()
        CONSTRAINT outbox_message_message_id_key UNIQUE WITH (fillfactor = 50),
    topic            text NOT NULL CONSTRAINT outbox_message_topic_not_blank CHECK (topic <> ''),
    key              text,
    aggregate_type   text,
    aggregate_id     text,
    event_type       text,
    content_type     text,
    payload          json,
    payload_bytes    bytea,
    headers          jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT outbox_message_headers_shape CHECK (jsonb_typeof(headers) IN ('object', 'array')),
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at     timestamptz,
    attempts         integer NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz,
    last_error       text,
    dead_at          timestamptz,
    -- An operator's decision about a dead letter. One that is retried is pending again.
    retried_at       timestamptz,
    discarded_at     timestamptz,
    -- The dead letter whose key has to wait for a decision: in each message of the key that waits, and in itself.
    blocked_by       bigint,
    -- Sends that may have ended the relay's process. Only counted when several processes have ended uncleanly.
    unfinished_sends integer,
    -- The unit of claiming: messages of one (topic, key) share a lane, those without a key are spread. The hash
    -- function is the one of hash partitioning, so its values are as stable as partitioned tables are.
    lane             smallint NOT NULL GENERATED ALWAYS AS ((
        CASE WHEN key IS NULL THEN id
             ELSE hashtextextended(key COLLATE "C", hashtextextended(topic COLLATE "C", 0)) END & 63)::smallint) STORED,
    -- Lets the relay bound a batch in bytes without reading it: payload, key and headers.
    message_size     bigint NOT NULL GENERATED ALWAYS AS (
        COALESCE(octet_length(payload::text), octet_length(payload_bytes), 0)::bigint
        + COALESCE(octet_length(key), 0) + octet_length(headers::text)) STORED,
    CONSTRAINT outbox_message_one_payload CHECK (payload IS NULL OR payload_bytes IS NULL)
);

-- What is still to be published, and only that: the cost of a poll does not depend on the history kept.
CREATE INDEX outbox_message_pending ON outbox_message (lane, id)
    WHERE published_at IS NULL AND dead_at IS NULL AND blocked_by IS NULL;
CREATE INDEX outbox_message_waiting ON outbox_message (next_attempt_at)
    WHERE next_attempt_at IS NOT NULL AND published_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_message_dead ON outbox_message (dead_at, id)
    WHERE dead_at IS NOT NULL;
-- Which keys are blocked, to be asked for each message that is read, and what waits behind a dead letter.
CREATE INDEX outbox_message_blocking ON outbox_message
    ((hashtextextended(key COLLATE "C", hashtextextended(topic COLLATE "C", 0))))
    WHERE blocked_by IS NOT NULL AND dead_at IS NOT NULL;
CREATE INDEX outbox_message_blocked ON outbox_message (blocked_by)
    WHERE blocked_by IS NOT NULL AND dead_at IS NULL;
CREATE INDEX outbox_message_published ON outbox_message USING brin (published_at);

-- Each message is updated once, soon after its insert: keep the vacuum close behind.
ALTER TABLE outbox_message SET (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.01,
    autovacuum_analyze_scale_factor = 0.02,
    autovacuum_vacuum_cost_delay = 0
);

-- One row for each lane, there to be locked.
CREATE TABLE outbox_lane (
    lane      smallint PRIMARY KEY,
    -- Counts what operators did in the lane, by which old messages may have become pending again.
    decisions bigint NOT NULL DEFAULT 0
);
INSERT INTO outbox_lane (lane) SELECT generate_series(0, 63);

-- How the relays came to their end, for those that start after them.
CREATE TABLE outbox_relay (
    instance    uuid PRIMARY KEY,
    started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Now and then while it works; infinity while it rests because Kafka is away.
    seen_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Set when it stopped in order.
    stopped_at  timestamptz
);

-- Dead letters that nobody has decided about yet.
CREATE VIEW outbox_dead_letters AS
SELECT id, message_id, topic, key, aggregate_type, aggregate_id, event_type, created_at, attempts, last_error, dead_at,
       blocked_by IS NOT NULL AS blocks_key
FROM outbox_message
WHERE dead_at IS NOT NULL AND discarded_at IS NULL AND published_at IS NULL;

-- What each consumer has handled.
CREATE TABLE processed_event (
    consumer      text NOT NULL,
    event_id      uuid NOT NULL,
    processed_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, event_id)
);

-- Received and not yet handled, for consumers that ask for an inbox.
CREATE TABLE inbox_message (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer         text NOT NULL,
    event_id         uuid NOT NULL,
    topic            text NOT NULL,
    kafka_partition  integer NOT NULL,
    kafka_offset     bigint NOT NULL,
    key              bytea,
    payload          bytea,
    headers          jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT inbox_message_headers_shape CHECK (jsonb_typeof(headers) IN ('object', 'array')),
    received_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    processed_at     timestamptz,
    attempts         integer NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz,
    last_error       text,
    dead_at          timestamptz,
    CONSTRAINT inbox_message_event_key UNIQUE (consumer, event_id)
);
