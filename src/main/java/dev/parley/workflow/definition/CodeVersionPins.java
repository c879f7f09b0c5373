package dev.parley.workflow.definition;

import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Pins the code that a published workflow version runs: the newest version of each code artifact at the time of
 * publishing. Every instance of the version, and its history, thus refers to the same code.
 */
final class CodeVersionPins {
    private CodeVersionPins() {}

    /** Those of the artifacts that the organization has, with the inputs that their code requires. */
    static Map<Integer, Set<String>> known(Handle handle, OrganizationId organization, Set<Integer> named) {
        if (named.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Set<String>> known = new HashMap<>();
        handle.createQuery("""
                        SELECT a.id, v.inputs FROM code_artifact a
                        JOIN code_artifact_version v ON v.organization_id = a.organization_id
                          AND v.artifact_id = a.id AND v.version = a.version
                        WHERE a.organization_id = :organization AND a.id = ANY (:named) AND a.deleted_at IS NULL""")
                .bind("organization", organization)
                .bindArray("named", Integer.class, named)
                .map((row, _) -> Map.entry(row.getInt("id"), requiredInputs(row.getString("inputs"))))
                .forEach(artifact -> known.put(artifact.getKey(), artifact.getValue()));
        return known;
    }

    /** The names of the declared inputs that are not marked as optional. */
    private static Set<String> requiredInputs(String declared) {
        Set<String> required = new HashSet<>();
        for (Object input : StrictJson.readTrusted(declared, List.class)) {
            if (input instanceof Map<?, ?> fields
                    && fields.get("name") instanceof String name
                    && !Boolean.FALSE.equals(fields.get("required"))) {
                required.add(name);
            }
        }
        return required;
    }

    /** Pins the newest code for a version that is being published. Blocks deletion of the artifacts until commit. */
    static void pin(Handle handle, OrganizationId organization, WorkflowId workflow, int version, Set<Integer> named) {
        if (named.isEmpty()) {
            return;
        }
        handle.createUpdate("""
                        INSERT INTO workflow_version_code (organization_id, workflow_id, workflow_version, artifact_id,
                            artifact_version)
                        SELECT organization_id, :workflow, :version, id, version FROM code_artifact
                        WHERE organization_id = :organization AND id = ANY (:named) AND deleted_at IS NULL
                        FOR SHARE""")
                .bind("organization", organization)
                .bind("workflow", workflow)
                .bind("version", version)
                .bindArray("named", Integer.class, named)
                .execute();
    }

    /** Whether newer code exists than a published version runs; publishing again then creates a new version. */
    static boolean outdated(Handle handle, OrganizationId organization, WorkflowId workflow, int version) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM workflow_version_code p
                        JOIN code_artifact a ON a.organization_id = p.organization_id AND a.id = p.artifact_id
                        WHERE p.organization_id = :organization AND p.workflow_id = :workflow
                          AND p.workflow_version = :version AND a.version > p.artifact_version)""")
                .bind("organization", organization)
                .bind("workflow", workflow)
                .bind("version", version)
                .mapTo(Boolean.class)
                .one();
    }
}
