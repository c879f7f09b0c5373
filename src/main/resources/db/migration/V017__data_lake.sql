-- Tables of an organization for workflows to read. PENDING waits for its upload; READY has its Parquet file in the blob
-- store under blob_key, and its columns, as the engine names their types, as JSON.
CREATE TABLE data_lake (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    name            text        NOT NULL,
    format          text        NOT NULL CHECK (format IN ('csv', 'jsonl', 'parquet', 'xlsx')),
    status          text        NOT NULL CHECK (status IN ('PENDING', 'READY')),
    rows            bigint      NOT NULL DEFAULT 0,
    columns         text        NOT NULL DEFAULT '[]',
    blob_key        text,
    blob_size       bigint,
    blob_version    text,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX data_lake_pending ON data_lake (created_at) WHERE status = 'PENDING';
