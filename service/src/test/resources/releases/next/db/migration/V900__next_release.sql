-- What a next release may add while nodes of this one run: each statement passes MigrationRules. UpgradeTest uses it.
ALTER TABLE message
    ADD COLUMN next_note text,
    ADD COLUMN next_count integer NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN next_note text;
ALTER TABLE workflow_instance ADD COLUMN next_note text;
ALTER TABLE ticket ADD COLUMN next_flag boolean NOT NULL DEFAULT false;
ALTER TABLE webhook_delivery ADD COLUMN next_note text;
ALTER TABLE node ADD COLUMN next_note text;
ALTER TABLE conversation ADD CONSTRAINT conversation_next_note CHECK (next_note <> '') NOT VALID;
CREATE INDEX message_next ON message (organization_id, next_note) WHERE next_note IS NOT NULL;
CREATE TABLE next_feature (
    organization_id uuid NOT NULL REFERENCES organization (id),
    id              uuid NOT NULL,
    PRIMARY KEY (organization_id, id)
);
INSERT INTO next_feature SELECT id, id FROM organization;
