-- Who a person is at an OpenID provider. The subject, which a provider never gives to another, finds the person again;
-- an e-mail address links only the first time, and a person is linked once for each provider.
CREATE TABLE user_identity (
    issuer     text        NOT NULL,
    subject    text        NOT NULL,
    user_id    uuid        NOT NULL REFERENCES app_user (id),
    email      text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- Sign-ins that came back from the provider, by a hash of their state: each is good once.
CREATE TABLE used_sign_in (
    state_hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_sign_in_expiry ON used_sign_in (expires_at);
