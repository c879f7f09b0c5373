-- Workflows with their drafts. A document is stored as the text that was sent, because jsonb changes numbers and the
-- order of members. name and description are copies for lists; valid is false if the draft has violations. An archived
-- workflow starts no instances and is not listed; running instances keep their version. positions holds the place of
-- tasks in the editor's graph by task id; tasks without one are placed by the layout. notes holds the texts beside them
-- (docs/decisions/0096). revision counts the changes of the draft (docs/decisions/0133).
CREATE TABLE workflow (
    organization_id   uuid        NOT NULL REFERENCES organization (id),
    id                uuid        NOT NULL,
    name              text        NOT NULL,
    description       text        NOT NULL,
    draft             text        NOT NULL,
    valid             boolean     NOT NULL,
    positions         jsonb       NOT NULL DEFAULT '{}',
    notes             jsonb       NOT NULL DEFAULT '[]',
    published_version integer,
    published_draft   boolean     NOT NULL DEFAULT false,
    revision          integer     NOT NULL DEFAULT 1,
    updated_by        text        NOT NULL,
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
    note            text,
    PRIMARY KEY (organization_id, workflow_id, version),
    FOREIGN KEY (organization_id, workflow_id) REFERENCES workflow (organization_id, id)
);

-- What the draft and the newest published version of each workflow reference: target is the id of a tool, code artifact,
-- data lake or team, whether it exists or not.
CREATE TABLE workflow_reference (
    organization_id uuid    NOT NULL,
    kind            text    NOT NULL CHECK (kind IN ('tool', 'code_artifact', 'data_lake', 'team')),
    target          text    NOT NULL,
    workflow_id     uuid    NOT NULL,
    published       boolean NOT NULL,
    PRIMARY KEY (organization_id, kind, target, workflow_id, published),
    FOREIGN KEY (organization_id, workflow_id) REFERENCES workflow (organization_id, id)
);
CREATE INDEX workflow_reference_by_workflow ON workflow_reference (organization_id, workflow_id, published);
