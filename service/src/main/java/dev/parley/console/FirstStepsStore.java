package dev.parley.console;

import dev.parley.id.OrganizationId;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** Finds out what an organization has done so far. */
interface FirstStepsStore {
    @SqlQuery("""
            SELECT
                EXISTS (SELECT FROM workflow WHERE organization_id = :organization
                    AND published_version IS NOT NULL AND archived_at IS NULL) AS agent_published,
                EXISTS (SELECT FROM workflow_instance WHERE organization_id = :organization) AS agent_run,
                EXISTS (SELECT FROM conversation WHERE organization_id = :organization) AS conversation_started,
                EXISTS (SELECT FROM api_key WHERE organization_id = :organization) AS key_created,
                (SELECT count(*) > 1 FROM (SELECT FROM membership
                    WHERE organization_id = :organization LIMIT 2) AS first_two) AS member_invited""")
    FirstSteps of(OrganizationId organization);
}
