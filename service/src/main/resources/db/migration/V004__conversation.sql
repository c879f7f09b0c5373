-- last_message_id is for lists by last activity: nodes write it some time after they stored messages, so that a message
-- costs no update (docs/decisions/0135). Ids grow with time, so their order is that of the activity.
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
    title           text,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    last_message_id uuid,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX conversation_by_workflow ON conversation (organization_id, workflow_id, id) WHERE workflow_id IS NOT NULL;
CREATE INDEX conversation_by_team ON conversation (organization_id, team_id, id) WHERE team_id IS NOT NULL;
CREATE INDEX conversation_by_activity ON conversation (organization_id, coalesce(last_message_id, id));
CREATE INDEX conversation_of_workflow_by_activity
    ON conversation (organization_id, workflow_id, coalesce(last_message_id, id)) WHERE workflow_id IS NOT NULL;
CREATE INDEX conversation_of_team_by_activity
    ON conversation (organization_id, team_id, coalesce(last_message_id, id)) WHERE team_id IS NOT NULL;

-- How far a member has read a conversation in the dashboard. Whether it is unread follows from its newest message, so
-- that storing a message writes nothing for its readers (docs/decisions/0135).
CREATE TABLE conversation_read (
    organization_id uuid NOT NULL,
    user_id         uuid NOT NULL,
    conversation_id uuid NOT NULL,
    message_id      uuid NOT NULL,
    PRIMARY KEY (organization_id, user_id, conversation_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES membership (organization_id, user_id) ON DELETE CASCADE
);

-- Ids grow with time, so the primary key is also the order of reading. Every client's messages go through this table:
-- it has no other full index and no foreign key, because a key-share lock per message costs as much as the row, and
-- conversations are never deleted. JSON is text, because jsonb changes numbers and rejects some. fillfactor leaves
-- room for status updates on the same page.
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

-- The status of each workflow instance of a conversation. Its messages show it when they are read, so a change of
-- status is one write, however many messages the instance has.
CREATE TABLE message_instance_status (
    organization_id      uuid        NOT NULL,
    workflow_instance_id uuid        NOT NULL,
    status               text        NOT NULL,
    updated_at           timestamptz NOT NULL,
    PRIMARY KEY (organization_id, workflow_instance_id)
);

-- Conversations with messages to process, each with the node that owns it. No unprocessed message is older than
-- from_message. version counts the additions of other nodes, so that the owner does not miss one. published_to is the
-- newest message whose message.created event was written while it waited (docs/decisions/0105).
CREATE TABLE conversation_lease (
    organization_id uuid    NOT NULL,
    conversation_id uuid    NOT NULL,
    node_id         uuid    NOT NULL,
    from_message    uuid    NOT NULL,
    published_to    uuid,
    version         integer NOT NULL,
    PRIMARY KEY (organization_id, conversation_id)
);
-- Contains the whole key: with stale statistics the planner may use it to find one conversation (docs/decisions/0111).
CREATE INDEX conversation_lease_of_node ON conversation_lease (node_id, organization_id, conversation_id);

-- Responses to requests with an Idempotency-Key, kept for 24 hours. Without a status the request is still in flight.
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

-- Use of an organization's message rate in the last minute, as pairs "second:count".
CREATE TABLE message_rate (
    organization_id uuid PRIMARY KEY,
    taken           text NOT NULL
);
