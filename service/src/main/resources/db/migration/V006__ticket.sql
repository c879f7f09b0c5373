-- Requests to people. Ids grow with time, so an inbox ordered by id is newest first. form, inputs, answer and exception
-- are JSON as text, because jsonb changes numbers and rejects some. changes is the number of history rows. An attempt
-- of a task opens at most one ticket per rule type. input_preview and search_text repeat the inputs for lists: one line to
-- show, and lower-case text of bounded length to search. remind_at is the next reminder of the assignees: before due_at,
-- then at due_at, then null. replaces and replaced_by link a rejected or retried ticket with its successor.
CREATE TABLE ticket (
    organization_id      uuid        NOT NULL REFERENCES organization (id),
    id                   uuid        NOT NULL,
    number               integer     NOT NULL,
    rule_type            text        NOT NULL,
    title                text        NOT NULL,
    description          text        NOT NULL,
    status               text        NOT NULL
        CHECK (status IN ('OPEN', 'IN_PROGRESS', 'RESOLVED', 'REJECTED', 'CLOSED')),
    priority             text        NOT NULL,
    assignments          text        NOT NULL,
    claimed_by           uuid,
    workflow_id          uuid        NOT NULL,
    workflow_version     integer     NOT NULL,
    workflow_name        text        NOT NULL,
    workflow_instance_id uuid        NOT NULL,
    conversation_id      uuid,
    task_id              text        NOT NULL,
    task_name            text        NOT NULL,
    item                 integer,
    attempt              integer     NOT NULL,
    test_run             boolean     NOT NULL,
    exception            text,
    tool_call            text,
    form                 text        NOT NULL,
    inputs               text        NOT NULL,
    input_preview        text        NOT NULL,
    search_text          text        NOT NULL,
    answer               text,
    reason               text,
    replaces             uuid,
    replaced_by          uuid,
    changes              integer     NOT NULL,
    due_at               timestamptz,
    remind_at            timestamptz,
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    resolved_by          text,
    resolved_at          timestamptz,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, number),
    UNIQUE NULLS NOT DISTINCT (organization_id, workflow_instance_id, task_id, item, attempt, rule_type),
    CHECK ((status = 'IN_PROGRESS') = (claimed_by IS NOT NULL) OR status IN ('RESOLVED', 'REJECTED', 'CLOSED'))
) WITH (fillfactor = 90);
CREATE INDEX ticket_by_status ON ticket (organization_id, status, id);
CREATE INDEX ticket_by_claimant ON ticket (organization_id, claimed_by, status, id) WHERE claimed_by IS NOT NULL;
CREATE INDEX ticket_reminder ON ticket (remind_at)
    WHERE remind_at IS NOT NULL AND status IN ('OPEN', 'IN_PROGRESS');

-- One row per assignee of a ticket. It repeats the ticket's status, so that an inbox is read from the index alone,
-- however many tickets are resolved. assignee is the id of a user (32 hex digits) or of a team.
CREATE TABLE ticket_assignee (
    organization_id uuid NOT NULL,
    ticket_id       uuid NOT NULL,
    assignment_type text NOT NULL CHECK (assignment_type IN ('User', 'Team')),
    assignee        text NOT NULL,
    status          text NOT NULL,
    PRIMARY KEY (organization_id, ticket_id, assignment_type, assignee),
    FOREIGN KEY (organization_id, ticket_id) REFERENCES ticket (organization_id, id)
);
CREATE INDEX ticket_inbox ON ticket_assignee (organization_id, assignment_type, assignee, status, ticket_id);

-- The changes of a ticket: who, when, from what and to what. Rows are never updated.
CREATE TABLE ticket_history (
    organization_id uuid        NOT NULL,
    ticket_id       uuid        NOT NULL,
    seq             integer     NOT NULL,
    at              timestamptz NOT NULL,
    actor           text        NOT NULL,
    change          text        NOT NULL,
    from_value      text,
    to_value        text,
    detail          text,
    mentions        uuid[]      NOT NULL DEFAULT '{}',
    PRIMARY KEY (organization_id, ticket_id, seq),
    FOREIGN KEY (organization_id, ticket_id) REFERENCES ticket (organization_id, id)
);
