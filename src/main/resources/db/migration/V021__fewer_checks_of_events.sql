-- Both tables take several rows for each message of a conversation with listeners. A foreign key asks for each of them,
-- and the one to the organization has all transactions of an organization lock the same row, which cost more than the
-- rows themselves. The stream is written by the statement before, in the same transaction; organizations are never
-- deleted, only marked.
ALTER TABLE event DROP CONSTRAINT event_organization_id_stream_id_fkey;
ALTER TABLE webhook_delivery DROP CONSTRAINT webhook_delivery_organization_id_fkey;
