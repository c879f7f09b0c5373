-- Keys of the developer API. A key is shown once and never stored; key_hash is its HMAC-SHA256. replaced_by is the key
-- that a rolled one was replaced with.
CREATE TABLE api_key (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    key_hash        bytea       NOT NULL UNIQUE,
    name            text        NOT NULL,
    prefix          text        NOT NULL,
    last_four       text        NOT NULL,
    team_id         integer,
    workflow_id     uuid,
    expires_at      timestamptz,
    last_used_at    timestamptz,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    revoked_at      timestamptz,
    replaced_by     uuid,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id)
);
CREATE INDEX api_key_team ON api_key (organization_id, team_id) WHERE team_id IS NOT NULL;
