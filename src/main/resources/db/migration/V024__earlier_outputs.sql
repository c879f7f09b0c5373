-- What the instances of a conversation gave, newest first: its memory (specification 2.6, "Data source").
CREATE INDEX workflow_instance_completed_of_conversation ON workflow_instance (organization_id, conversation_id, id)
    WHERE conversation_id IS NOT NULL AND status = 'COMPLETED';
