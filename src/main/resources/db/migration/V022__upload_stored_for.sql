-- For which instance the service stored a file that a task made, until it was seen that the instance kept it: a run that
-- was never committed leaves files that nothing names.
ALTER TABLE upload ADD COLUMN stored_for uuid;
CREATE INDEX upload_stored_for ON upload (created_at, organization_id, id)
    WHERE stored_for IS NOT NULL AND state = 'STORED';
