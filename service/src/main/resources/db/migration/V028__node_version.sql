-- The release that a node runs, and the number of that release's last migration.
ALTER TABLE node
    ADD COLUMN version text,
    ADD COLUMN schema_version integer;
