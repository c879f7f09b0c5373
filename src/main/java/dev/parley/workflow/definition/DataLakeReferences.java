package dev.parley.workflow.definition;

import dev.parley.datalake.DataLakeDeletionGuard;
import dev.parley.datalake.core.ColumnType;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Finds the data lakes that definitions read. A data lake cannot be deleted while the published version of a workflow
 * reads it.
 */
@Singleton
public final class DataLakeReferences implements DataLakeDeletionGuard {

    /** The columns of those data lakes that the organization has, by the id as written. */
    static Map<String, Map<String, ColumnType>> known(
            Handle handle, OrganizationId organization, Map<UUID, Set<String>> named) {
        Map<String, Map<String, ColumnType>> known = new HashMap<>();
        if (!named.isEmpty()) {
            handle.createQuery("""
                            SELECT id, columns FROM data_lake
                            WHERE organization_id = :organization AND id = ANY (:named) AND status = 'READY'""")
                    .bind("organization", organization)
                    .bindArray("named", UUID.class, named.keySet())
                    .map(row ->
                            Map.entry(row.getColumn("id", UUID.class), columns(row.getColumn("columns", String.class))))
                    .forEach(lake ->
                            named.getOrDefault(lake.getKey(), Set.of()).forEach(id -> known.put(id, lake.getValue())));
        }
        return known;
    }

    private static Map<String, ColumnType> columns(String json) {
        Map<String, ColumnType> columns = new HashMap<>();
        for (Object column : StrictJson.readTrusted(json, List.class)) {
            if (column instanceof Map<?, ?> fields) {
                columns.put(String.valueOf(fields.get("name")), ColumnType.of(String.valueOf(fields.get("type"))));
            }
        }
        return columns;
    }

    /** Blocks the deletion of data lakes until the document that references them is published. */
    static void lock(Handle handle, OrganizationId organization, Set<UUID> named) {
        if (!named.isEmpty()) {
            var _ = handle.createQuery("""
                            SELECT id FROM data_lake WHERE organization_id = :organization AND id = ANY (:named)
                            ORDER BY id FOR SHARE""")
                    .bind("organization", organization)
                    .bindArray("named", UUID.class, named)
                    .mapTo(UUID.class)
                    .list();
        }
    }

    @Override
    public void requireUnused(Handle handle, OrganizationId organization, DataLakeId lake) {
        WorkflowReferences.requireUnpublished(handle, organization, ReferenceKind.DATA_LAKE, lake.text());
    }
}
