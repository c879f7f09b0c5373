CREATE TABLE conversation (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    channel         text        NOT NULL,
    usecase         text        NOT NULL,
    config          text        NOT NULL,
    metadata        text        NOT NULL,
    team_id         integer,
    workflow_id     uuid,
    callback_url    text,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX conversation_by_workflow ON conversation (organization_id, workflow_id, id) WHERE workflow_id IS NOT NULL;
CREATE INDEX conversation_by_team ON conversation (organization_id, team_id, id) WHERE team_id IS NOT NULL;

-- Ids grow with time, so the primary key is also the order in which messages are read. No other index: the table takes
-- every message of every client. It has no foreign key either: the service has read the conversation when it inserts,
-- conversations are never deleted, and a key-share lock per message would cost as much as the row. The JSON is kept as
-- text, since jsonb would change numbers and refuse some. fillfactor leaves room for status updates on the same page.
CREATE TABLE message (
    organization_id      uuid        NOT NULL,
    conversation_id      uuid        NOT NULL,
    id                   uuid        NOT NULL,
    type                 text        NOT NULL,
    content_type         text        NOT NULL,
    content              text,
    filename             text,
    metadata             text,
    file                 text,
    status               text        NOT NULL,
    workflow_instance_id uuid,
    ticket_id            uuid,
    created_by           text        NOT NULL,
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    PRIMARY KEY (organization_id, conversation_id, id)
) WITH (fillfactor = 90);

-- The status of each workflow instance that belongs to a conversation. Messages of the instance show it when they are
-- read, so that a change of status is one write, however many messages follow it.
CREATE TABLE message_instance_status (
    organization_id      uuid        NOT NULL,
    workflow_instance_id uuid        NOT NULL,
    status               text        NOT NULL,
    updated_at           timestamptz NOT NULL,
    PRIMARY KEY (organization_id, workflow_instance_id)
);

-- Conversations with messages that wait to be processed, each with the node that processes them. No message that waits
-- is older than from_message. The version counts what other nodes added, so that the owner does not miss it.
CREATE TABLE conversation_work (
    organization_id uuid    NOT NULL,
    conversation_id uuid    NOT NULL,
    node_id         uuid    NOT NULL,
    from_message    uuid    NOT NULL,
    version         integer NOT NULL,
    PRIMARY KEY (organization_id, conversation_id)
);
CREATE INDEX conversation_work_by_node ON conversation_work (node_id);

-- Answers of requests with an Idempotency-Key, kept for 24 hours. Without a status the request is still in flight.
CREATE TABLE idempotency (
    organization_id uuid        NOT NULL,
    route           text        NOT NULL,
    key             text        NOT NULL,
    request_hash    text        NOT NULL,
    status          integer,
    location        text,
    body            text,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, route, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- What was taken of an organization's message rate, by second, as pairs "second:count" of the last minute.
CREATE TABLE message_rate (
    organization_id uuid PRIMARY KEY,
    taken           text NOT NULL
);
