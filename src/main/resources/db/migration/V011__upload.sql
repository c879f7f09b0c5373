-- Files that clients upload and that tasks make. The bytes are in the blob store, under
-- organization/folder/id/filename. PENDING: a URL was given out. STORED: the bytes were checked, and the file was used
-- or made by a task; from then on it never changes. ABANDONED: nobody used it; it is about to be deleted.
-- team_id and workflow_id are the restrictions of the key that uploaded it.
CREATE TABLE upload (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    folder          text        NOT NULL,
    filename        text        NOT NULL,
    original_name   text        NOT NULL,
    content_type    text        NOT NULL,
    size            bigint,
    team_id         integer,
    workflow_id     uuid,
    state           text        NOT NULL CHECK (state IN ('PENDING', 'STORED', 'ABANDONED')),
    sha256          text,
    version         text,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX upload_by_filename ON upload (organization_id, filename, id);
CREATE INDEX upload_by_original_name ON upload (organization_id, original_name, id);
CREATE INDEX upload_unused ON upload (created_at) WHERE state <> 'STORED';

-- Where a file is used: what a restricted key may see of it. used_by is a conversation or a workflow instance.
CREATE TABLE upload_use (
    organization_id uuid NOT NULL,
    upload_id       uuid NOT NULL,
    used_by         uuid NOT NULL,
    team_id         integer,
    workflow_id     uuid,
    PRIMARY KEY (organization_id, upload_id, used_by),
    FOREIGN KEY (organization_id, upload_id) REFERENCES upload (organization_id, id) ON DELETE CASCADE
);
