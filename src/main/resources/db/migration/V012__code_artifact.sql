-- The code of Coder tasks. Versions count from 1 and are never changed; name, inputs and outputs are the newest
-- version's. A deleted artifact keeps its rows, since instances of older workflow versions may still run its code.
CREATE TABLE code_artifact (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              integer     NOT NULL,
    name            text        NOT NULL,
    language        text        NOT NULL CHECK (language IN ('javascript', 'python')),
    version         integer     NOT NULL,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    deleted_at      timestamptz,
    PRIMARY KEY (organization_id, id)
);

-- inputs and outputs are JSON, as the API writes them.
CREATE TABLE code_artifact_version (
    organization_id uuid        NOT NULL,
    artifact_id     integer     NOT NULL,
    version         integer     NOT NULL,
    source          text        NOT NULL,
    inputs          text        NOT NULL,
    outputs         text        NOT NULL,
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, artifact_id, version),
    FOREIGN KEY (organization_id, artifact_id) REFERENCES code_artifact (organization_id, id)
);

-- Which code a published version of a workflow runs: what was newest when it was published.
CREATE TABLE workflow_version_code (
    organization_id  uuid    NOT NULL,
    workflow_id      uuid    NOT NULL,
    workflow_version integer NOT NULL,
    artifact_id      integer NOT NULL,
    artifact_version integer NOT NULL,
    PRIMARY KEY (organization_id, workflow_id, workflow_version, artifact_id),
    FOREIGN KEY (organization_id, workflow_id, workflow_version)
        REFERENCES workflow_version (organization_id, workflow_id, version),
    FOREIGN KEY (organization_id, artifact_id, artifact_version)
        REFERENCES code_artifact_version (organization_id, artifact_id, version)
);
CREATE INDEX workflow_version_code_by_artifact ON workflow_version_code (organization_id, artifact_id);

-- What the code of a task wrote to its console, at most 64 KiB for each attempt.
CREATE TABLE workflow_task_console (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    task_id         text        NOT NULL,
    attempt         integer     NOT NULL,
    text            text        NOT NULL,
    at              timestamptz NOT NULL,
    PRIMARY KEY (organization_id, instance_id, task_id, attempt)
);
