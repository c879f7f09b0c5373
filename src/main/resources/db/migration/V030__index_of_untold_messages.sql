-- Who tells of a message at once looks first whether older ones of its conversation wait untold
-- (docs/decisions/0105), which are few at any moment.
CREATE INDEX message_untold ON message (organization_id, conversation_id, id) WHERE untold;
