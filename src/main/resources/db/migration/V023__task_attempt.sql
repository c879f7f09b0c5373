-- Attempts of tasks, as people read them beside an instance's log. A row is written with the change of the instance that
-- the attempt's end brings; ids grow with the time at which attempts begin. The content is JSON, bounded by its writer.
CREATE TABLE workflow_task_attempt (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    id              uuid        NOT NULL,
    task_id         text        NOT NULL,
    attempt         integer     NOT NULL,
    status          text        NOT NULL,
    started_at      timestamptz,
    finished_at     timestamptz,
    input_tokens    bigint      NOT NULL,
    output_tokens   bigint      NOT NULL,
    cost_micros     bigint      NOT NULL,
    content         text        NOT NULL,
    PRIMARY KEY (organization_id, instance_id, id)
);
