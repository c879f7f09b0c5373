-- The tenants. A deleted organization keeps its row, so that its keys can be told that it is gone (422), and nothing
-- that belonged to it is given to another.
CREATE TABLE organization (
    id                  uuid PRIMARY KEY,
    name                text        NOT NULL,
    messages_per_minute integer CHECK (messages_per_minute > 0),
    created_at          timestamptz NOT NULL,
    deleted_at          timestamptz
);

-- Numbers that count per organization: team ids, ticket numbers, tool ids.
CREATE TABLE organization_counter (
    organization_id uuid   NOT NULL REFERENCES organization (id),
    name            text   NOT NULL,
    value           bigint NOT NULL,
    PRIMARY KEY (organization_id, name)
);

-- The people, who may belong to several organizations. The e-mail is kept in lower case. Without a password hash the
-- person was invited and has not yet chosen a password.
CREATE TABLE app_user (
    id            uuid PRIMARY KEY,
    email         text        NOT NULL UNIQUE,
    name          text        NOT NULL,
    operator      boolean     NOT NULL,
    password_hash text,
    created_at    timestamptz NOT NULL
);

CREATE TABLE membership (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    user_id         uuid        NOT NULL REFERENCES app_user (id),
    role            text        NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX membership_of_user ON membership (user_id, organization_id);

-- A deleted team keeps its row too: conversations and tickets go on naming it.
CREATE TABLE team (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              integer     NOT NULL,
    name            text        NOT NULL,
    created_at      timestamptz NOT NULL,
    deleted_at      timestamptz,
    PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX team_name ON team (organization_id, name) WHERE deleted_at IS NULL;

CREATE TABLE team_member (
    organization_id uuid    NOT NULL,
    team_id         integer NOT NULL,
    user_id         uuid    NOT NULL,
    PRIMARY KEY (organization_id, team_id, user_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES membership (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX team_member_of_user ON team_member (organization_id, user_id);

-- Only hashes of tokens are kept: who reads this table can sign in as nobody.
CREATE TABLE session (
    token_hash   bytea PRIMARY KEY,
    user_id      uuid        NOT NULL REFERENCES app_user (id),
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX session_of_user ON session (user_id);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE invitation (
    organization_id uuid        NOT NULL,
    user_id         uuid        NOT NULL,
    token_hash      bytea       NOT NULL UNIQUE,
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES membership (organization_id, user_id) ON DELETE CASCADE
);

-- Failed sign-ins by account and by address (both as hashes), over all nodes.
CREATE TABLE sign_in_throttle (
    subject       bytea PRIMARY KEY,
    failures      integer     NOT NULL,
    blocked_until timestamptz NOT NULL,
    forget_at     timestamptz NOT NULL
);
CREATE INDEX sign_in_throttle_forget ON sign_in_throttle (forget_at);
