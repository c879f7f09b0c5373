-- Instances. What a list shows stands in columns; the state is a checkpoint, as of state_version, to which the deltas
-- of later log rows are added. A RUNNING instance has the node that runs it, any other none.
CREATE TABLE workflow_instance (
    organization_id  uuid        NOT NULL,
    id               uuid        NOT NULL,
    workflow_id      uuid        NOT NULL,
    workflow_version integer     NOT NULL,
    definition       text,
    conversation_id  uuid,
    team_id          integer,
    status           text        NOT NULL,
    node_id          uuid,
    state            text        NOT NULL,
    state_version    integer     NOT NULL,
    created_by       text        NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    finished_at      timestamptz,
    deadline         timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 85);
CREATE INDEX workflow_instance_by_workflow ON workflow_instance (organization_id, workflow_id, id);
-- Take-over of a node's instances, and the sweep of those whose time is up.
CREATE INDEX workflow_instance_by_node ON workflow_instance (node_id) WHERE status = 'RUNNING';
CREATE INDEX workflow_instance_by_deadline ON workflow_instance (deadline) WHERE status IN ('RUNNING', 'PAUSED');
-- Lists by status; nearly all instances end up COMPLETED, which the primary key serves.
CREATE INDEX workflow_instance_by_status ON workflow_instance (organization_id, status, id)
    WHERE status IN ('RUNNING', 'PAUSED', 'FAILED', 'CANCELLED', 'TERMINATED');
CREATE INDEX workflow_instance_of_conversation ON workflow_instance (organization_id, conversation_id)
    WHERE conversation_id IS NOT NULL AND status IN ('RUNNING', 'PAUSED');

CREATE INDEX organization_deleted ON organization (id) WHERE deleted_at IS NOT NULL;

-- One row for each change, which is also the lock: two writers cannot both store the same version. The steps of status
-- that a change took stand apart, since one change may take two.
CREATE TABLE workflow_instance_log (
    organization_id uuid        NOT NULL,
    instance_id     uuid        NOT NULL,
    version         integer     NOT NULL,
    at              timestamptz NOT NULL,
    event           text        NOT NULL,
    actor           text        NOT NULL,
    steps           text,
    delta           text        NOT NULL,
    PRIMARY KEY (organization_id, instance_id, version)
);

-- Tells the node that ran an instance that another node changed it. The node is named, since a change that ends or
-- pauses the instance takes its node away.
CREATE TABLE workflow_instance_signal (
    organization_id uuid NOT NULL,
    instance_id     uuid NOT NULL,
    node_id         uuid NOT NULL,
    PRIMARY KEY (organization_id, instance_id, node_id)
);
CREATE INDEX workflow_instance_signal_by_node ON workflow_instance_signal (node_id);
