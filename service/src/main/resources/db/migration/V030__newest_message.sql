-- No message of a user has a greater id. Storing one moves it on, other than V004 says, so that the row's lock orders a
-- conversation's messages on all nodes (docs/decisions/0120). No index has the column, and fillfactor leaves space for the
-- new version of a row.
ALTER TABLE conversation ADD COLUMN newest_message uuid;
ALTER TABLE conversation SET (fillfactor = 80);
