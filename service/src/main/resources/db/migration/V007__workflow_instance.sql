-- Instances. Columns hold what lists show. state is a checkpoint as of state_version; the deltas of later log rows
-- apply on top of it. definition is the document of a test run, null for a published version. test_run is true for a test
-- run of a draft and for its sub-workflows at any depth (docs/decisions/0159). node_id is the node that
-- runs the instance; a PAUSED one keeps it until the tasks that were being executed have ended. rerun_of is the instance
-- that this one reruns from a task, or completely. A sub-workflow has the instance and the task that started it; parent_key
-- is the idempotency key of that call, and depth the number of instances above. input_preview is the beginning of the
-- input. unreturned_handlings counts the handlings of an event that lasted too long; the next one that returns resets it
-- (docs/decisions/0165).
CREATE TABLE workflow_instance (
    organization_id    uuid        NOT NULL,
    id                 uuid        NOT NULL,
    workflow_id        uuid        NOT NULL,
    workflow_version   integer     NOT NULL,
    definition         text,
    test_run           boolean     NOT NULL DEFAULT false,
    conversation_id    uuid,
    team_id            integer,
    rerun_of           uuid,
    rerun_from_task    text,
    parent_instance_id uuid,
    parent_task        text,
    parent_key         text,
    depth              integer     NOT NULL DEFAULT 0,
    input_preview      text,
    status             text        NOT NULL,
    node_id            uuid,
    state              text        NOT NULL,
    state_version      integer     NOT NULL,
    created_by         text        NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    finished_at        timestamptz,
    deadline           timestamptz NOT NULL,
    wake_at            timestamptz,
    unreturned_handlings smallint  NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 85);
CREATE INDEX workflow_instance_by_workflow ON workflow_instance (organization_id, workflow_id, id);
-- Adoption of a node's instances, and the sweep of instances past their deadline.
CREATE INDEX workflow_instance_by_node ON workflow_instance (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX workflow_instance_by_deadline ON workflow_instance (deadline) WHERE status IN ('RUNNING', 'PAUSED');
-- Instances in which a task stops waiting for a time or an event.
CREATE INDEX workflow_instance_by_wake ON workflow_instance (wake_at) WHERE wake_at IS NOT NULL;
-- Instances that may have to be set aside.
CREATE INDEX workflow_instance_unreturned ON workflow_instance (organization_id, id)
    WHERE unreturned_handlings > 0 AND status IN ('RUNNING', 'PAUSED');
-- Lists by status. Nearly all instances end up COMPLETED, which the primary key serves.
CREATE INDEX workflow_instance_by_status ON workflow_instance (organization_id, status, id)
    WHERE status IN ('RUNNING', 'PAUSED', 'FAILED', 'CANCELLED', 'TERMINATED');
CREATE INDEX workflow_instance_of_conversation ON workflow_instance (organization_id, conversation_id)
    WHERE conversation_id IS NOT NULL AND status IN ('RUNNING', 'PAUSED');
-- A conversation's memory: the outputs of its completed instances, newest first.
CREATE INDEX workflow_instance_completed_of_conversation ON workflow_instance (organization_id, conversation_id, id)
    WHERE conversation_id IS NOT NULL AND status = 'COMPLETED';

-- The sub-workflows of an instance. One call starts one instance, also after the loss of a node.
CREATE UNIQUE INDEX workflow_instance_by_parent_key ON workflow_instance (organization_id, parent_instance_id, parent_key)
    WHERE parent_instance_id IS NOT NULL;
CREATE INDEX workflow_instance_by_parent_task
    ON workflow_instance (organization_id, parent_instance_id, parent_task, id)
    WHERE parent_instance_id IS NOT NULL;
-- Those to stop with their parent.
CREATE INDEX workflow_instance_unfinished_by_parent ON workflow_instance (organization_id, parent_instance_id)
    WHERE parent_instance_id IS NOT NULL AND status IN ('RUNNING', 'PAUSED');

-- Ends of sub-workflows that the tasks which started them do not know yet.
CREATE TABLE sub_workflow_end (
    organization_id    uuid        NOT NULL,
    parent_instance_id uuid        NOT NULL,
    parent_task        text        NOT NULL,
    parent_key         text        NOT NULL,
    at                 timestamptz NOT NULL,
    PRIMARY KEY (organization_id, parent_instance_id, parent_key)
);
CREATE INDEX sub_workflow_end_by_time ON sub_workflow_end (at);

-- The engine that runs the unfinished instances: another one would not know them.
CREATE TABLE workflow_engine (
    only_row boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (only_row),
    name     text    NOT NULL
);

-- A change of an instance. steps lists the status changes, because one change may make two.
CREATE TYPE instance_change AS (
    version         integer,
    at              timestamptz,
    event           text,
    actor           text,
    steps           text,
    delta           text,
    attempt_id      uuid,
    attempt         text,
    attempt_content text
);

-- One row per change, or one for consecutive changes that an engine stores together: then changes has all of them, the
-- key is the version of the last one, and delta is null. The key is the lock: two writers cannot both store the same
-- version.
CREATE TABLE workflow_instance_log (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    version         integer     NOT NULL,
    at              timestamptz NOT NULL,
    event           text        NOT NULL,
    actor           text        NOT NULL,
    steps           text,
    delta           text,
    attempt_id      uuid,
    attempt         text,
    attempt_content text,
    changes         instance_change[],
    PRIMARY KEY (organization_id, instance_id, version)
);

-- Each change by itself. Queries with a first version also need a condition on row_version, which the key serves.
CREATE VIEW workflow_instance_change AS
    SELECT l.organization_id, l.instance_id, l.version AS row_version, c.*
    FROM workflow_instance_log l
        CROSS JOIN LATERAL (
            SELECT l.version, l.at, l.event, l.actor, l.steps, l.delta, l.attempt_id, l.attempt, l.attempt_content
            WHERE l.changes IS NULL
            UNION ALL
            SELECT * FROM unnest(l.changes)
        ) c;

-- Attempts of tasks that do not end with a change, or that were stored while they ran; others are in the log's row of
-- the change that they caused. Ids grow with the time at which attempts start. attempt is JSON with the task, the
-- times, the status and the usage, content is JSON of limited size.
CREATE TABLE workflow_task_attempt (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    id              uuid        NOT NULL,
    attempt         text        NOT NULL,
    content         text        NOT NULL,
    PRIMARY KEY (organization_id, instance_id, id)
);

-- Console output of a Coder task, at most 64 KiB per attempt.
CREATE TABLE workflow_task_console (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    task_id         text        NOT NULL,
    attempt         integer     NOT NULL,
    text            text        NOT NULL,
    at              timestamptz NOT NULL,
    PRIMARY KEY (organization_id, instance_id, task_id, attempt)
);

-- The calls of AI tasks that have ended, in order, so that a run continues after them. item is -1 for the task itself.
-- content is the model's reply or the tool's result, as JSON. Deleted when the instance has ended.
CREATE TABLE workflow_task_journal (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    task_id         text        NOT NULL,
    item            integer     NOT NULL,
    iteration       integer     NOT NULL,
    position        integer     NOT NULL,
    attempt         integer     NOT NULL,
    content         text        NOT NULL,
    PRIMARY KEY (organization_id, instance_id, task_id, item, iteration, position)
);
