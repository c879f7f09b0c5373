-- Workflows with their drafts. The document is kept as the text in which it came, since jsonb would change its numbers
-- and the order of its members. name and description are the document's, for lists; a draft may have faults (valid is
-- false then). An archived workflow starts no instance and is not listed; instances that run keep their version.
CREATE TABLE workflow (
    organization_id   uuid        NOT NULL REFERENCES organization (id),
    id                uuid        NOT NULL,
    name              text        NOT NULL,
    description       text        NOT NULL,
    draft             text        NOT NULL,
    valid             boolean     NOT NULL,
    published_version integer,
    published_draft   boolean     NOT NULL DEFAULT false,
    created_by        text        NOT NULL,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    archived_at       timestamptz,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX workflow_listed ON workflow (organization_id, id) WHERE archived_at IS NULL;

-- Published versions count from 1. They are never changed and never deleted.
CREATE TABLE workflow_version (
    organization_id uuid        NOT NULL,
    workflow_id     uuid        NOT NULL,
    version         integer     NOT NULL,
    document        text        NOT NULL,
    published_by    text        NOT NULL,
    published_at    timestamptz NOT NULL,
    PRIMARY KEY (organization_id, workflow_id, version),
    FOREIGN KEY (organization_id, workflow_id) REFERENCES workflow (organization_id, id)
);
