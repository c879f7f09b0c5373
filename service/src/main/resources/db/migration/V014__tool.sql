-- An organization's sources of tools. The built-in provider has no row, and its tools have ids below 1000
-- (docs/decisions/0080). A deleted provider keeps its row, so that its tools' ids are never reused. credentials are
-- encrypted (AES-GCM) under the key that credential_key names. revision counts the changes of the settings, not the
-- refreshes (docs/decisions/0133). The tools of a provider that is not enabled are not called and not refreshed.
CREATE TABLE tool_provider (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              integer     NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('mcp', 'openapi', 'workflow')),
    name            text        NOT NULL,
    description     text        NOT NULL,
    url             text,
    command         text,
    server_url      text,
    document        text,
    credentials     bytea,
    credential_key  integer,
    credentials_set text        NOT NULL,
    status          text        NOT NULL CHECK (status IN ('READY', 'FAILED')),
    error           text,
    warnings        text        NOT NULL,
    revision        integer     NOT NULL,
    enabled         boolean     NOT NULL DEFAULT true,
    created_by      text        NOT NULL,
    updated_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    refreshed_at    timestamptz,
    deleted_at      timestamptz,
    PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX tool_provider_name ON tool_provider (organization_id, name) WHERE deleted_at IS NULL;

-- The tools of the provider's last refresh and of earlier ones: a tool that is no longer offered keeps its id and is
-- not available. binding holds what a call needs besides its arguments.
CREATE TABLE tool (
    organization_id uuid        NOT NULL,
    id              integer     NOT NULL,
    provider_id     integer     NOT NULL,
    name            text        NOT NULL,
    title           text        NOT NULL,
    description     text        NOT NULL,
    input_schema    text        NOT NULL,
    output_schema   text,
    binding         text        NOT NULL,
    available       boolean     NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, provider_id, name),
    FOREIGN KEY (organization_id, provider_id) REFERENCES tool_provider (organization_id, id)
);
