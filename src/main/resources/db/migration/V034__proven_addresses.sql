-- An account is proven or confined. Proven: its owner opened a mailed link, an OpenID provider vouched for the address,
-- or the operator's settings name it; such an account is the only proven one of its address and may join any
-- organization. Confined: nobody proved the address, and the account belongs to the one organization that created it.
ALTER TABLE app_user
    ADD COLUMN proven_at       timestamptz,
    ADD COLUMN organization_id uuid REFERENCES organization (id);

-- A mailed token was shown to nobody else, so accepting it proves the address.
ALTER TABLE invitation ADD COLUMN mailed boolean NOT NULL DEFAULT false;

-- Existing accounts. The settings or the first run named the operators. A provider vouched for linked accounts, whose
-- password may still be that of somebody who accepted the invitation before.
UPDATE app_user SET proven_at = created_at WHERE operator;
DELETE FROM session WHERE user_id IN (
    SELECT i.user_id FROM user_identity i JOIN app_user u ON u.id = i.user_id WHERE NOT u.operator);
UPDATE app_user u SET proven_at = i.created_at, password_hash = NULL
FROM (SELECT user_id, min(created_at) AS created_at FROM user_identity GROUP BY user_id) i
WHERE i.user_id = u.id AND NOT u.operator;

-- Every token was returned to the inviting admin so far, so all other accounts are unproven. Each stays in the
-- organization that created it, which is the oldest of its memberships.
UPDATE app_user u SET organization_id = m.organization_id
FROM (SELECT DISTINCT ON (user_id) user_id, organization_id FROM membership
      ORDER BY user_id, created_at, organization_id) m
WHERE m.user_id = u.id AND u.proven_at IS NULL;
DELETE FROM session WHERE user_id IN (
    SELECT id FROM app_user WHERE proven_at IS NULL AND organization_id IS NULL);
DELETE FROM app_user WHERE proven_at IS NULL AND organization_id IS NULL;

ALTER TABLE app_user DROP CONSTRAINT app_user_email_key;

-- Further organizations keep the person as an invited one, by a new account without a password. Their audit logs say so.
DO $$
DECLARE
    further record;
    account uuid;
    entry uuid;
BEGIN
    FOR further IN
        SELECT m.organization_id, m.user_id, m.role, m.created_at, u.email, u.name, u.password_hash
        FROM membership m JOIN app_user u ON u.id = m.user_id
        WHERE u.proven_at IS NULL AND u.organization_id <> m.organization_id
    LOOP
        -- Version 7: the milliseconds since 1970 in front.
        SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
                   PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                   FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid INTO account;
        SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
                   PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                   FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid INTO entry;
        INSERT INTO app_user (id, email, name, operator, created_at, organization_id)
        VALUES (account, further.email, further.name, false, now(), further.organization_id);
        INSERT INTO membership (organization_id, user_id, role, created_at)
        VALUES (further.organization_id, account, further.role, further.created_at);
        UPDATE team_member SET user_id = account
        WHERE organization_id = further.organization_id AND user_id = further.user_id;
        DELETE FROM membership
        WHERE organization_id = further.organization_id AND user_id = further.user_id;
        IF further.password_hash IS NOT NULL THEN
            INSERT INTO audit_entry (organization_id, id, at, user_id, actor, action, target)
            VALUES (further.organization_id, entry, now(), further.user_id, further.email, 'members.replace',
                    replace(further.user_id::text, '-', ''));
        END IF;
    END LOOP;
END $$;

ALTER TABLE app_user
    ADD CONSTRAINT app_user_proven_or_confined CHECK ((proven_at IS NULL) = (organization_id IS NOT NULL)),
    ADD CONSTRAINT app_user_operator_is_proven CHECK (proven_at IS NOT NULL OR NOT operator);
CREATE UNIQUE INDEX app_user_proven_email ON app_user (email) WHERE proven_at IS NOT NULL;
CREATE UNIQUE INDEX app_user_confined_email ON app_user (email, organization_id) WHERE proven_at IS NULL;
CREATE INDEX app_user_email ON app_user (email);

-- Holds the rule against every code path.
CREATE FUNCTION membership_is_not_confined_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM app_user WHERE id = NEW.user_id AND organization_id <> NEW.organization_id) THEN
        RAISE EXCEPTION 'an account with an unproven address belongs only to the organization that created it';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER membership_not_confined_elsewhere BEFORE INSERT OR UPDATE ON membership
    FOR EACH ROW EXECUTE FUNCTION membership_is_not_confined_elsewhere();
