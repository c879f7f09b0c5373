package dev.parley.conversation;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.util.Optional;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** Whether workflows may be started, and if not, why. */
public interface WorkflowStageStore {
    /** The state of a workflow. */
    enum Stage {
        UNKNOWN,
        DRAFT,
        PUBLISHED,
        ARCHIVED
    }

    default Stage stage(OrganizationId organization, WorkflowId workflow) {
        return known(organization, workflow).orElse(Stage.UNKNOWN);
    }

    /** Empty for an unknown workflow. */
    @SqlQuery("""
            SELECT CASE WHEN archived_at IS NOT NULL THEN 'ARCHIVED' WHEN published_version IS NULL THEN 'DRAFT'
                ELSE 'PUBLISHED' END
            FROM workflow WHERE organization_id = :organization AND id = :workflow""")
    Optional<Stage> known(OrganizationId organization, WorkflowId workflow);
}
