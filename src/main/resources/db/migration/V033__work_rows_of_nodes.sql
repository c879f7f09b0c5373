-- A node's work rows. After a start the statistics do not know the node's id, so that this index looked like the cheaper
-- way to one conversation's row, and all of the node's were read for each. With the rest of the key in it both ways lead
-- to that one row.
CREATE INDEX conversation_work_of_node ON conversation_work (node_id, organization_id, conversation_id);
DROP INDEX conversation_work_by_node;
