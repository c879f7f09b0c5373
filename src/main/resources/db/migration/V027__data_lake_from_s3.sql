-- Where a table comes from that is read from S3, as its admin named it, how many objects that were, and when they were
-- read. A table that is made at the moment has its file to be in writing_key: one is made at a time, and what its node
-- left when it died is found by it.
ALTER TABLE data_lake
    ADD COLUMN s3_uri        text,
    ADD COLUMN s3_objects    integer,
    ADD COLUMN read_at       timestamptz,
    ADD COLUMN writing_key   text,
    ADD COLUMN writing_since timestamptz;
CREATE INDEX data_lake_writing ON data_lake (writing_since) WHERE writing_key IS NOT NULL;
