-- The code of Coder tasks. name and version are those of the newest version. A deleted artifact keeps its rows, because
-- instances of older workflow versions may still run its code.
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

-- Versions count from 1 and are never changed. inputs and outputs are JSON, as the API returns them.
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

-- The code that a published workflow version runs: the newest at its publication.
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
