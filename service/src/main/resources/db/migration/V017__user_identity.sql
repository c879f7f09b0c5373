-- A user's identity at an OpenID provider. The subject, which a provider never reuses, finds the user; the email
-- address is used for the first sign-in only. A user has at most one identity per provider.
CREATE TABLE user_identity (
    issuer     text        NOT NULL,
    subject    text        NOT NULL,
    user_id    uuid        NOT NULL REFERENCES app_user (id),
    email      text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- Sign-ins that returned from the provider, by the hash of their state: each is valid once.
CREATE TABLE used_sign_in (
    state_hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_sign_in_expiry ON used_sign_in (expires_at);
