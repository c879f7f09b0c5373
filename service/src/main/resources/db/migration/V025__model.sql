-- An organization's providers of models (docs/decisions/0189). secrets are the credential and the values of the headers,
-- encrypted (AES-GCM) and bound to the organization and to scheme, host and port of base_url. host is that of base_url.
CREATE TABLE model_provider (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              integer     NOT NULL,
    name            text        NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('openai', 'anthropic')),
    base_url        text        NOT NULL,
    host            text        NOT NULL,
    api_version     text,
    secrets         bytea,
    has_credential  boolean     NOT NULL,
    header_names    text[]      NOT NULL,
    revision        integer     NOT NULL,
    created_by      text        NOT NULL,
    updated_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name)
);

-- Prices are those of a million tokens. capabilities is a JSON object; a capability that it lacks is unknown.
CREATE TABLE model (
    organization_id    uuid        NOT NULL,
    id                 integer     NOT NULL,
    provider_id        integer     NOT NULL,
    alias              text        NOT NULL,
    name               text        NOT NULL,
    context_tokens     integer,
    max_output_tokens  integer,
    input_price        numeric     NOT NULL,
    cached_input_price numeric,
    output_price       numeric     NOT NULL,
    capabilities       text        NOT NULL,
    is_default         boolean     NOT NULL,
    revision           integer     NOT NULL,
    created_by         text        NOT NULL,
    updated_by         text        NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, alias),
    FOREIGN KEY (organization_id, provider_id) REFERENCES model_provider (organization_id, id)
);
CREATE UNIQUE INDEX model_default ON model (organization_id) WHERE is_default;
CREATE INDEX model_of_provider ON model (organization_id, provider_id);

-- The models that an operator allows: 'default' for the installation's, a provider's host, or host/name; null for all.
ALTER TABLE organization ADD COLUMN allowed_models text[];
