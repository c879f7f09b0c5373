-- Files that clients upload and tasks create. The bytes are in the blob store under organization/folder/id/filename.
-- PENDING: a URL was issued. STORED: the bytes were verified and the file is in use; it never changes from then on.
-- ABANDONED: never used, about to be deleted. team_id and workflow_id are the restrictions of the uploading key.
-- stored_for is the instance whose task created the file, until the instance is known to have kept it: a run that never
-- commits leaves unused files. own_name reserves the file name within the organization.
CREATE TABLE upload (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    folder          text        NOT NULL,
    filename        text        NOT NULL,
    own_name        boolean     NOT NULL DEFAULT false,
    original_name   text        NOT NULL,
    content_type    text        NOT NULL,
    size            bigint,
    team_id         integer,
    workflow_id     uuid,
    stored_for      uuid,
    state           text        NOT NULL CHECK (state IN ('PENDING', 'STORED', 'ABANDONED')),
    sha256          text,
    version         text,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX upload_by_filename ON upload (organization_id, filename, id);
CREATE UNIQUE INDEX upload_own_name ON upload (organization_id, filename) WHERE own_name;
CREATE INDEX upload_by_original_name ON upload (organization_id, original_name, id);
CREATE INDEX upload_unused ON upload (created_at) WHERE state <> 'STORED';
CREATE INDEX upload_stored_for ON upload (created_at, organization_id, id)
    WHERE stored_for IS NOT NULL AND state = 'STORED';

-- Where a file is used, which decides whether a restricted key may read it. used_by is a conversation or an instance.
CREATE TABLE upload_use (
    organization_id uuid NOT NULL,
    upload_id       uuid NOT NULL,
    used_by         uuid NOT NULL,
    team_id         integer,
    workflow_id     uuid,
    PRIMARY KEY (organization_id, upload_id, used_by),
    FOREIGN KEY (organization_id, upload_id) REFERENCES upload (organization_id, id) ON DELETE CASCADE
);
