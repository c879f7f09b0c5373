-- The audit log: who changed what in an organization, when and from where. The trigger rejects changes of rows, also
-- those made by hand. target_name is the target's name at that time; changes is JSON: the changed fields before and after. is_change is false
-- for an action that only uses something, such as sending a message.
CREATE TABLE audit_entry (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              uuid        NOT NULL,
    at              timestamptz NOT NULL,
    user_id         uuid        NOT NULL,
    actor           text        NOT NULL,
    action          text        NOT NULL,
    target          text,
    target_name     text,
    changes         text        NOT NULL,
    is_change       boolean     NOT NULL,
    address         text,
    user_agent      text,
    request_id      text,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entry_of_changes ON audit_entry (organization_id, id) WHERE is_change;
CREATE INDEX audit_entry_by_user ON audit_entry (organization_id, user_id, id);

CREATE FUNCTION audit_entry_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entry is append-only';
END $$;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION audit_entry_is_append_only();

-- The later saves that an entry covers (docs/decisions/0157): the time of the last one, and the changes of all of them,
-- the entry's included. The trigger lets a row only move on.
CREATE TABLE audit_entry_continuation (
    organization_id uuid        NOT NULL,
    entry_id        uuid        NOT NULL,
    until           timestamptz NOT NULL,
    changes         text        NOT NULL,
    PRIMARY KEY (organization_id, entry_id),
    FOREIGN KEY (organization_id, entry_id) REFERENCES audit_entry (organization_id, id)
);

CREATE FUNCTION audit_entry_continuation_moves_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.until >= OLD.until AND NEW.organization_id = OLD.organization_id AND NEW.entry_id = OLD.entry_id THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit_entry_continuation only moves on';
END $$;
CREATE TRIGGER audit_entry_continuation_moves_on BEFORE UPDATE OR DELETE ON audit_entry_continuation
    FOR EACH ROW EXECUTE FUNCTION audit_entry_continuation_moves_on();

-- An organization's usage per hour: counts and sums for the charts of the overview.
CREATE TABLE usage_hour (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    hour            timestamptz NOT NULL,
    metric          text        NOT NULL,
    value           bigint      NOT NULL,
    PRIMARY KEY (organization_id, hour, metric)
);

-- The same counts by workflow, as columns, because the overview reads all of them for each workflow.
CREATE TABLE usage_hour_of_workflow (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    hour            timestamptz NOT NULL,
    workflow_id     uuid        NOT NULL,
    runs_completed  bigint      NOT NULL,
    runs_failed     bigint      NOT NULL,
    runs_cancelled  bigint      NOT NULL,
    runs_terminated bigint      NOT NULL,
    input_tokens    bigint      NOT NULL,
    output_tokens   bigint      NOT NULL,
    cost_micros     bigint      NOT NULL,
    PRIMARY KEY (organization_id, hour, workflow_id)
);
