-- After a rejection, error_policy RETRY closes the ticket and opens another: each names the other.
ALTER TABLE ticket ADD COLUMN replaces uuid, ADD COLUMN replaced_by uuid;
