-- The table of db-scheduler 16, with its column names: timers.
CREATE TABLE scheduled_tasks (
    task_name            text        NOT NULL,
    task_instance        text        NOT NULL,
    task_data            bytea,
    execution_time       timestamptz NOT NULL,
    picked               boolean     NOT NULL,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures integer,
    last_heartbeat       timestamptz,
    version              bigint      NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX scheduled_tasks_due ON scheduled_tasks (execution_time) WHERE NOT picked;
CREATE INDEX scheduled_tasks_heartbeat ON scheduled_tasks (last_heartbeat) WHERE picked;
