package dev.parley.workflow.definition.reference;

import dev.parley.http.json.JsonColumns;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** The entities of an organization among those that a document names. */
@RegisterColumnMapperFactory(JsonColumns.class)
interface ReferencedEntityStore {
    /** A code artifact with its declared inputs. */
    record CodeInputs(int id, List<Map<String, Object>> inputs) {}

    /** A data lake with its columns. */
    record LakeColumns(UUID id, List<Map<String, Object>> columns) {}

    @SqlQuery("SELECT user_id FROM membership WHERE organization_id = :organization AND user_id = ANY (:named)")
    Set<UserId> members(OrganizationId organization, Set<UUID> named);

    @SqlQuery("SELECT id FROM team WHERE organization_id = :organization AND id = ANY (:named) AND deleted_at IS NULL")
    Set<Integer> teams(OrganizationId organization, Set<Integer> named);

    @SqlQuery("""
            SELECT a.id, v.inputs FROM code_artifact a
            JOIN code_artifact_version v ON v.organization_id = a.organization_id AND v.artifact_id = a.id
              AND v.version = a.version
            WHERE a.organization_id = :organization AND a.id = ANY (:named) AND a.deleted_at IS NULL""")
    List<CodeInputs> code(OrganizationId organization, Set<Integer> named);

    @SqlQuery("""
            SELECT id, columns FROM data_lake
            WHERE organization_id = :organization AND id = ANY (:named) AND status = 'READY'""")
    List<LakeColumns> dataLakes(OrganizationId organization, Set<UUID> named);
}
