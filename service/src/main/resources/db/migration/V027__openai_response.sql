-- Responses of OpenAI's dialect, for 30 days. Those of a model are stored only if the client asks for it: input has the
-- items of the request, response the object with its output. Those of a workflow have neither; their id is that of the
-- user's message, and the service's messages after it are the output. chain_bytes is the size of this response and of
-- those that it continues.
CREATE TABLE openai_response (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    previous_id     uuid,
    team_id         integer,
    workflow_id     uuid,
    conversation_id uuid,
    input           text        NOT NULL,
    response        text        NOT NULL,
    chain_bytes     integer     NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX openai_response_by_age ON openai_response (created_at);
