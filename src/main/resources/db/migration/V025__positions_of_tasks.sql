-- Where people put the tasks of a draft in the editor's graph, by task id (decision 0096). Tasks that are not in it
-- stand where the layout puts them.
ALTER TABLE workflow ADD COLUMN positions jsonb NOT NULL DEFAULT '{}';
