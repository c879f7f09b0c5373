-- Tables that workflows query. PENDING: its upload is missing. READY: its Parquet file is in the blob store under
-- blob_key; columns is JSON with DuckDB's types. s3_uri, s3_objects and read_at describe a table that was imported from
-- S3. While a table is written, its new file has writing_key: there is one writer at a time, and a later one deletes
-- what a dead node left under that key.
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
    s3_uri          text,
    s3_objects      integer,
    read_at         timestamptz,
    writing_key     text,
    writing_since   timestamptz,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX data_lake_pending ON data_lake (created_at) WHERE status = 'PENDING';
CREATE INDEX data_lake_writing ON data_lake (writing_since) WHERE writing_key IS NOT NULL;
