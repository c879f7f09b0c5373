-- Counts the events of a conversation, or of an instance without one. The row's lock numbers them without gaps, in
-- commit order. The row outlives its events, so that numbers are never reused.
CREATE TABLE event_stream (
    organization_id uuid   NOT NULL REFERENCES organization (id),
    id              uuid   NOT NULL,
    last_sequence   bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70);

-- Events for webhooks and live streams, written in the transaction of the change, and only if there are subscribers.
-- data is the API's object at that time, as JSON text. Rows live until expires_at. There is no foreign key to
-- event_stream: the same transaction writes its row, and a check per event costs more than the row.
CREATE TABLE event (
    organization_id      uuid        NOT NULL,
    id                   uuid        NOT NULL,
    stream_id            uuid        NOT NULL,
    sequence             bigint      NOT NULL,
    conversation_id      uuid,
    workflow_instance_id uuid,
    type                 text        NOT NULL,
    at                   timestamptz NOT NULL,
    data                 text        NOT NULL,
    expires_at           timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, stream_id, sequence)
);
CREATE INDEX event_of_instance ON event (organization_id, workflow_instance_id, sequence)
    WHERE workflow_instance_id IS NOT NULL;
CREATE INDEX event_expiry ON event (expires_at);

-- Subscriptions besides the callbacks of conversations. id is a conversation or an instance with live readers, until a
-- day after the last one, or the organization itself if it has webhook endpoints, then with the types they select.
-- Nodes cache these rows; changed is the transaction that wrote a row, by which they find new ones.
CREATE TABLE event_subscription (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    types           text        NOT NULL,
    until           timestamptz NOT NULL,
    changed         xid8        NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX event_interest_changed ON event_subscription (changed);
CREATE INDEX event_interest_expiry ON event_subscription (until);
