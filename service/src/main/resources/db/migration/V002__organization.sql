-- The tenants. A deleted organization keeps its row, so that its keys get 422 and its id is never reused. revision
-- counts the changes of name and limit (docs/decisions/0133).
CREATE TABLE organization (
    id                  uuid PRIMARY KEY,
    name                text        NOT NULL,
    messages_per_minute integer CHECK (messages_per_minute > 0),
    created_at          timestamptz NOT NULL,
    deleted_at          timestamptz,
    updated_at          timestamptz NOT NULL DEFAULT now(),
    updated_by          text        NOT NULL DEFAULT 'system',
    revision            integer     NOT NULL DEFAULT 1
);
CREATE INDEX organization_deleted ON organization (id) WHERE deleted_at IS NOT NULL;

-- Counters per organization: team ids, ticket numbers, tool ids.
CREATE TABLE organization_counter (
    organization_id uuid   NOT NULL REFERENCES organization (id),
    name            text   NOT NULL,
    value           bigint NOT NULL,
    PRIMARY KEY (organization_id, name)
);

-- User accounts; a proven account may belong to several organizations. email is lower case. An account without a
-- password hash was invited and has no password yet, or signs in by OpenID Connect only.
--
-- An account is proven or confined. Proven: its owner opened a mailed link, an OpenID provider verified the address, or
-- the operator's settings name it; an address has at most one proven account. Confined: nobody proved the address, and
-- the account belongs only to organization_id, which created it (docs/decisions/0112).
--
-- email_* are the kinds of ticket emails that the person gets (docs/decisions/0160).
CREATE TABLE app_user (
    id                uuid PRIMARY KEY,
    email             text        NOT NULL,
    name              text        NOT NULL,
    operator          boolean     NOT NULL,
    password_hash     text,
    proven_at         timestamptz,
    organization_id   uuid REFERENCES organization (id),
    created_at        timestamptz NOT NULL,
    email_new_tickets boolean     NOT NULL DEFAULT true,
    email_changes     boolean     NOT NULL DEFAULT true,
    email_comments    boolean     NOT NULL DEFAULT true,
    email_reminders   boolean     NOT NULL DEFAULT true,
    CONSTRAINT app_user_proven_or_confined CHECK ((proven_at IS NULL) = (organization_id IS NOT NULL)),
    CONSTRAINT app_user_operator_is_proven CHECK (proven_at IS NOT NULL OR NOT operator)
);
CREATE UNIQUE INDEX app_user_proven_email ON app_user (email) WHERE proven_at IS NOT NULL;
CREATE UNIQUE INDEX app_user_confined_email ON app_user (email, organization_id) WHERE proven_at IS NULL;
CREATE INDEX app_user_email ON app_user (email);

CREATE TABLE membership (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    user_id         uuid        NOT NULL REFERENCES app_user (id),
    role            text        NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at      timestamptz NOT NULL,
    last_seen_at    timestamptz,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX membership_of_user ON membership (user_id, organization_id);

-- Enforces the rule for confined accounts on every code path.
CREATE FUNCTION membership_is_not_confined_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM app_user WHERE id = NEW.user_id AND organization_id <> NEW.organization_id) THEN
        RAISE EXCEPTION 'an account with an unproven address belongs only to the organization that created it';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER membership_not_confined_elsewhere BEFORE INSERT OR UPDATE OF organization_id, user_id ON membership
    FOR EACH ROW EXECUTE FUNCTION membership_is_not_confined_elsewhere();

-- A deleted team keeps its row, because conversations and tickets refer to it. revision counts the changes of the name.
CREATE TABLE team (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              integer     NOT NULL,
    name            text        NOT NULL,
    created_at      timestamptz NOT NULL,
    deleted_at      timestamptz,
    updated_at      timestamptz NOT NULL DEFAULT now(),
    updated_by      text        NOT NULL DEFAULT 'system',
    revision        integer     NOT NULL DEFAULT 1,
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

-- Only hashes of tokens are stored, so a reader of this table cannot sign in.
CREATE TABLE session (
    token_hash   bytea PRIMARY KEY,
    id           uuid        NOT NULL UNIQUE,
    user_id      uuid        NOT NULL REFERENCES app_user (id),
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    address      text        NOT NULL,
    user_agent   text
);
CREATE INDEX session_of_user ON session (user_id);
CREATE INDEX session_expiry ON session (expires_at);

-- Accepting an invitation proves the address only if its token was mailed, because no one else has seen it.
CREATE TABLE invitation (
    organization_id uuid        NOT NULL,
    user_id         uuid        NOT NULL,
    token_hash      bytea       NOT NULL UNIQUE,
    mailed          boolean     NOT NULL DEFAULT false,
    invited_by      uuid REFERENCES app_user (id) ON DELETE SET NULL,
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES membership (organization_id, user_id) ON DELETE CASCADE
);

-- Open links with which a user sets a new password. organization_id is set if an admin of that organization has seen the
-- link: then its use proves nothing, and the account is confined to the organization (docs/decisions/0134).
CREATE TABLE password_reset (
    token_hash      bytea PRIMARY KEY,
    user_id         uuid        NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
    organization_id uuid REFERENCES organization (id),
    expires_at      timestamptz NOT NULL
);
CREATE INDEX password_reset_of_user ON password_reset (user_id);
CREATE INDEX password_reset_expiry ON password_reset (expires_at);

-- Failed sign-ins per account and per address, both hashed, across all nodes.
CREATE TABLE sign_in_throttle (
    subject       bytea PRIMARY KEY,
    failures      integer     NOT NULL,
    blocked_until timestamptz NOT NULL,
    forget_at     timestamptz NOT NULL
);
CREATE INDEX sign_in_throttle_forget ON sign_in_throttle (forget_at);
