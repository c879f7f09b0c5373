-- Where an organization wants events sent, besides the callbacks of its conversations. receiver is the origin of the
-- URL. secret is encrypted; null where the organization's own signs. Deleted ones stay for the deliveries that name them.
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
    deleted_at      timestamptz,
    PRIMARY KEY (organization_id, id)
);

-- The secrets that sign, encrypted: the current one, and those before it until expires_at.
CREATE TABLE webhook_secret (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    number          integer     NOT NULL,
    secret          bytea       NOT NULL,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz,
    PRIMARY KEY (organization_id, number)
);
CREATE UNIQUE INDEX webhook_secret_current ON webhook_secret (organization_id) WHERE expires_at IS NULL;

-- One event on its way to one receiver: the outbox, written in the transaction of the change, and the record of it
-- afterwards. target_id is the endpoint, or the conversation for its callback. lane_id is the event's stream, within
-- which deliveries to a target keep their order, or the delivery itself when it was replayed, which nothing waits for.
-- There are no foreign keys to the event and the endpoint: both end at other times, and this table is written often.
CREATE TABLE webhook_delivery (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    event_id        uuid        NOT NULL,
    type            text        NOT NULL,
    target_id       uuid        NOT NULL,
    lane_id         uuid        NOT NULL,
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
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (organization_id, target_id, lane_id, sequence)
    WHERE state = 'PENDING';
CREATE INDEX webhook_delivery_of_conversation ON webhook_delivery (organization_id, conversation_id, id)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX webhook_delivery_of_endpoint ON webhook_delivery (organization_id, endpoint_id, id)
    WHERE endpoint_id IS NOT NULL;
CREATE INDEX webhook_delivery_not_delivered ON webhook_delivery (organization_id, state, id)
    WHERE state <> 'DELIVERED';

-- Each try of a delivery: what came back, or why nothing did.
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

-- A lane with deliveries that wait: the node that sends them, and when the first may go. The row is made by the
-- transaction that queues an event, and deleted when all of last_sequence and before is done. A callback that answered
-- 410 keeps its row, with gone set.
CREATE TABLE webhook_lane (
    organization_id uuid        NOT NULL,
    target_id       uuid        NOT NULL,
    lane_id         uuid        NOT NULL,
    callback_url    text,
    receiver        text        NOT NULL,
    owner           uuid,
    due_at          timestamptz NOT NULL,
    last_sequence   bigint      NOT NULL,
    gone            boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, target_id, lane_id)
) WITH (fillfactor = 70);
CREATE INDEX webhook_lane_due ON webhook_lane (owner, organization_id, receiver, due_at);
