-- Results of reading documents that could not be read or took long, for a day, so that such a document is not read again
-- for each message or task. sha256 is the digest of the document's bytes, content_type how it was read. Either text or
-- fault is set.
CREATE TABLE document_reading (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    sha256          text        NOT NULL,
    content_type    text        NOT NULL,
    text            text,
    fault           text,
    read_at         timestamptz NOT NULL,
    PRIMARY KEY (organization_id, sha256, content_type)
);
CREATE INDEX document_reading_by_age ON document_reading (read_at);
