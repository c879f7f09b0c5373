-- Counts the events of a conversation, or of an instance without one: the row's lock is what numbers them without gaps
-- in the order of their commits. It stays when its events are cleared away, so that the numbers go on.
CREATE TABLE event_stream (
    organization_id uuid   NOT NULL REFERENCES organization (id),
    id              uuid   NOT NULL,
    last_sequence   bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70);

-- What happened, for webhooks and live streams, written in the transaction of the change, and only where somebody is
-- interested. data is the API's own object as it was then, as JSON text. Rows live until expires_at.
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
    FOREIGN KEY (organization_id, stream_id) REFERENCES event_stream (organization_id, id),
    UNIQUE (organization_id, stream_id, sequence)
);
CREATE INDEX event_of_instance ON event (organization_id, workflow_instance_id, sequence)
    WHERE workflow_instance_id IS NOT NULL;
CREATE INDEX event_expiry ON event (expires_at);

-- Whose events are recorded beside those of conversations with a callback: a conversation or an instance that somebody
-- watches live, until a day after the last reader, or a whole organization with webhook endpoints (id is its own), of
-- which only some types. Nodes keep these rows in memory; changed is the transaction that wrote one, by which they find
-- what is new to them.
CREATE TABLE event_interest (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    types           text        NOT NULL,
    until           timestamptz NOT NULL,
    changed         xid8        NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX event_interest_changed ON event_interest (changed);
CREATE INDEX event_interest_expiry ON event_interest (until);
