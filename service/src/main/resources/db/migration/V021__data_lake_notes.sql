-- sheet is the sheet that a person chose for the import, which a refresh reads again. notes is JSON: what the import left
-- out or could not decide.
ALTER TABLE data_lake
    ADD COLUMN sheet text,
    ADD COLUMN notes text NOT NULL DEFAULT '[]';
