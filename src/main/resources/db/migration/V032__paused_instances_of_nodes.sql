-- An instance that was paused while tasks were executed keeps its node until they have ended, so that a take-over finds
-- it. Other instances that are not RUNNING have none.
DROP INDEX workflow_instance_by_node;
CREATE INDEX workflow_instance_by_node ON workflow_instance (node_id) WHERE node_id IS NOT NULL;
