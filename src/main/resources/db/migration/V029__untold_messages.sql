-- A user's message whose message.created is still to be written, which is done together with its first change by whoever
-- processes it (docs/decisions/0105): true until then, false after that change, null after the next and for all others.
ALTER TABLE message ADD COLUMN untold boolean;
