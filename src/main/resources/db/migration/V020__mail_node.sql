-- Mails are leased work of the node that adds them, so a mail has no lease of its own: due_at is only the time of the
-- next attempt. node_id is NULL while no node owns the mail, for example after its node died; the nodes that have an
-- SMTP server claim such mails. A mail with handed_over that its node is not sending right now is uncertain.
ALTER TABLE mail ADD COLUMN node_id uuid;
DROP INDEX mail_due;
CREATE INDEX mail_due ON mail (node_id, due_at) WHERE state IN ('PENDING', 'SENDING');
