-- An organization's webhook endpoints; conversations may have a callback besides. receiver is the origin of the URL.
-- secret is encrypted; null where the organization's own secret signs. Deleted rows stay for their deliveries.
CREATE TABLE webhook_endpoint (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    url             text        NOT NULL,
    receiver        text        NOT NULL,
    description     text        NOT NULL,
    event_types     text[]      NOT NULL,
    enabled         boolean     NOT NULL,
    disabled_reason text,
    secret          bytea,
    previous_secret bytea,
    previous_until  timestamptz,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    updated_by      text        NOT NULL,
    revision        integer     NOT NULL DEFAULT 1,
    deleted_at      timestamptz,
    PRIMARY KEY (organization_id, id)
);

-- Signing secrets, encrypted: the current one, and previous ones until expires_at.
CREATE TABLE webhook_secret (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    number          integer     NOT NULL,
    secret          bytea       NOT NULL,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz,
    PRIMARY KEY (organization_id, number)
);
CREATE UNIQUE INDEX webhook_secret_current ON webhook_secret (organization_id) WHERE expires_at IS NULL;

-- Delivery of one event to one receiver: the outbox, written in the transaction of the change, and afterwards its
-- record. target_id is the endpoint, or the conversation for its callback. queue_id is the event's stream, within
-- which deliveries to a target keep their order; a replayed delivery has its own id there and blocks nothing. There are
-- no foreign keys: the event and the endpoint end at other times, and one to the organization would make all of its
-- transactions lock the same row.
CREATE TABLE webhook_delivery (
    organization_id uuid        NOT NULL,
    id              uuid        NOT NULL,
    event_id        uuid        NOT NULL,
    type            text        NOT NULL,
    target_id       uuid        NOT NULL,
    queue_id        uuid        NOT NULL,
    sequence        bigint      NOT NULL,
    endpoint_id     uuid,
    conversation_id uuid,
    state           text        NOT NULL DEFAULT 'PENDING',
    attempts        integer     NOT NULL DEFAULT 0,
    tries           integer     NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL,
    queued_at       timestamptz NOT NULL,
    finished_at     timestamptz,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (organization_id, target_id, queue_id, sequence)
    WHERE state = 'PENDING';
CREATE INDEX webhook_delivery_of_conversation ON webhook_delivery (organization_id, conversation_id, id)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX webhook_delivery_of_endpoint ON webhook_delivery (organization_id, endpoint_id, id)
    WHERE endpoint_id IS NOT NULL;
CREATE INDEX webhook_delivery_not_delivered ON webhook_delivery (organization_id, state, id)
    WHERE state <> 'DELIVERED';
CREATE INDEX webhook_delivery_failed ON webhook_delivery (organization_id, endpoint_id, finished_at)
    WHERE state = 'FAILED' AND endpoint_id IS NOT NULL;

-- Attempts of a delivery: the response, or the error.
CREATE TABLE webhook_attempt (
    organization_id uuid        NOT NULL,
    delivery_id     uuid        NOT NULL,
    number          integer     NOT NULL,
    at              timestamptz NOT NULL,
    duration_ms     integer     NOT NULL,
    status          integer,
    response        text,
    error           text,
    PRIMARY KEY (organization_id, delivery_id, number),
    FOREIGN KEY (organization_id, delivery_id) REFERENCES webhook_delivery (organization_id, id) ON DELETE CASCADE
);

-- Queues with pending deliveries: the node that sends them, and when the first is due. The transaction that enqueues an
-- event inserts the row; it is deleted when every delivery up to last_sequence is done. A callback that responded 410
-- keeps its row, with gone set. A manual retry sets planned_at to the due_at that it replaced, which applies again if
-- the attempt fails.
CREATE TABLE webhook_queue (
    organization_id uuid        NOT NULL,
    target_id       uuid        NOT NULL,
    queue_id        uuid        NOT NULL,
    callback_url    text,
    receiver        text        NOT NULL,
    node_id         uuid,
    due_at          timestamptz NOT NULL,
    planned_at      timestamptz,
    last_sequence   bigint      NOT NULL,
    gone            boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, target_id, queue_id)
) WITH (fillfactor = 70);
CREATE INDEX webhook_queue_due ON webhook_queue (node_id, organization_id, receiver, due_at);
