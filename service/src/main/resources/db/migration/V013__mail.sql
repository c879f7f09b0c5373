-- The email outbox: one row per change and recipient, written in the transaction of the change. due_at is the time of
-- the next attempt. node_id is the node that sends the mail; while it is null, for example after its node died, any node
-- with an SMTP server claims the mail. handed_over is set just before the server may accept the mail and cleared by its
-- reply: a mail with handed_over that its node is not sending is uncertain, and is not sent again. A body with a secret, such as an invitation's link, is encrypted in
-- body_encrypted and deleted when the mail is done.
CREATE TABLE mail (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    change_id       text        NOT NULL,
    kind            text        NOT NULL,
    recipient       text        NOT NULL,
    subject         text        NOT NULL,
    body_text       text,
    body_html       text,
    body_encrypted  bytea,
    state           text        NOT NULL
        CHECK (state IN ('KEPT', 'PENDING', 'SENDING', 'SENT', 'FAILED', 'UNCERTAIN')),
    attempts        integer     NOT NULL DEFAULT 0,
    node_id         uuid,
    due_at          timestamptz NOT NULL,
    handed_over     boolean     NOT NULL DEFAULT false,
    error           text,
    created_at      timestamptz NOT NULL,
    sent_at         timestamptz,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, change_id, recipient)
) WITH (fillfactor = 85);
CREATE INDEX mail_due ON mail (node_id, due_at) WHERE state IN ('PENDING', 'SENDING');
CREATE INDEX mail_kept ON mail (created_at) WHERE state = 'KEPT';
CREATE INDEX mail_age ON mail (created_at);
CREATE INDEX mail_listed ON mail (organization_id, state, kind, id);
