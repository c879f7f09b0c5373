-- When a ticket's assignees are reminded next: before it is due, then when it is; null when that was done.
ALTER TABLE ticket ADD COLUMN remind_at timestamptz;
CREATE INDEX ticket_reminder ON ticket (remind_at)
    WHERE remind_at IS NOT NULL AND status IN ('OPEN', 'IN_PROGRESS');
