-- The outbox: one row for each change and recipient, written in the transaction of the change, so that a mail is sent
-- when the change happened, and once. due_at is when it is tried next, or when the lease of the node that tries it ends;
-- attempts fences that node. handed_over stands from just before the server may take the mail until its answer: who
-- finds it after a lease that ran out cannot know whether the mail was taken, and does not send it again. A body with a
-- secret in it, such as an invitation's link, is kept sealed, and only until the mail has ended.
CREATE TABLE mail (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    change_id       text        NOT NULL,
    kind            text        NOT NULL,
    recipient       text        NOT NULL,
    subject         text        NOT NULL,
    body_text       text,
    body_html       text,
    body_sealed     bytea,
    state           text        NOT NULL
        CHECK (state IN ('KEPT', 'PENDING', 'SENDING', 'SENT', 'FAILED', 'UNCERTAIN')),
    attempts        integer     NOT NULL DEFAULT 0,
    due_at          timestamptz NOT NULL,
    handed_over     boolean     NOT NULL DEFAULT false,
    error           text,
    created_at      timestamptz NOT NULL,
    sent_at         timestamptz,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, change_id, recipient)
) WITH (fillfactor = 85);
CREATE INDEX mail_due ON mail (due_at) WHERE state IN ('PENDING', 'SENDING');
CREATE INDEX mail_kept ON mail (created_at) WHERE state = 'KEPT';
CREATE INDEX mail_age ON mail (created_at);
CREATE INDEX mail_listed ON mail (organization_id, state, kind, id);
