-- A node that changes an instance of another node writes its row, which the owner's sweep reads.
DROP TABLE workflow_instance_signal;
