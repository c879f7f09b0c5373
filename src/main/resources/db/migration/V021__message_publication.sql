-- While messages of a conversation wait, its lease names the newest one whose message.created event is written
-- (docs/decisions/0105). It replaces the mark of each message.
ALTER TABLE conversation_lease ADD COLUMN published_to uuid;
DROP INDEX message_event_pending;
ALTER TABLE message DROP COLUMN event_pending;
