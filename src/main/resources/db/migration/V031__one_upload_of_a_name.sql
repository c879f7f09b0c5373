-- POST /messages names a file by its stored name, so each upload has one that no other of its organization has. What was
-- stored before, and what older nodes store meanwhile, may share a name: it is not held to that, and its names are not
-- given again.
ALTER TABLE upload ADD COLUMN own_name boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX upload_own_name ON upload (organization_id, filename) WHERE own_name;
