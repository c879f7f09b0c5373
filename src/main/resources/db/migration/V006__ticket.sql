-- What people get to do (DECISIONS 6). Ids grow with time, so an inbox in order of ids is newest first. form, inputs,
-- answer and exception are JSON kept as text, since jsonb would change numbers and refuse some. changes counts the
-- history's rows, so that the next number needs no look at them. One attempt of a task opens one ticket of a kind.
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
    attempt              integer     NOT NULL,
    exception            text,
    form                 text        NOT NULL,
    inputs               text        NOT NULL,
    answer               text,
    reason               text,
    changes              integer     NOT NULL,
    due_at               timestamptz,
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    resolved_at          timestamptz,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, number),
    UNIQUE (organization_id, workflow_instance_id, task_id, attempt, rule_type),
    CHECK ((status = 'IN_PROGRESS') = (claimed_by IS NOT NULL) OR status IN ('RESOLVED', 'REJECTED', 'CLOSED'))
) WITH (fillfactor = 90);
CREATE INDEX ticket_by_status ON ticket (organization_id, status, id);
CREATE INDEX ticket_by_claimant ON ticket (organization_id, claimed_by, status, id) WHERE claimed_by IS NOT NULL;

-- The inboxes: for each assignee of a ticket one row, which carries the ticket's status, so that an inbox is read from
-- its index alone, however many tickets were resolved before. assignee is a user's id (32 hex digits) or a team's.
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

-- Who changed what, when, from what and to what. Rows are inserted, and never changed.
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
    PRIMARY KEY (organization_id, ticket_id, seq),
    FOREIGN KEY (organization_id, ticket_id) REFERENCES ticket (organization_id, id)
);
