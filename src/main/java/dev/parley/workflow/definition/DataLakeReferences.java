package dev.parley.workflow.definition;

import dev.parley.datalake.DataLakeDeletionGuard;
import dev.parley.datalake.core.ColumnType;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Finds the data lakes that definitions read. A data lake cannot be deleted while the published version of a workflow
 * reads it.
 */
@Singleton
public final class DataLakeReferences implements DataLakeDeletionGuard {

    /** The columns of the data lakes that a document references and the organization has, by the id as written. */
    static Map<String, Map<String, ColumnType>> known(
            Handle handle, OrganizationId organization, Map<String, @Nullable Object> document) {
        Map<UUID, Set<String>> named = named(document);
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

    /** Blocks the deletion of a document's data lakes until it is published. */
    static void lock(Handle handle, OrganizationId organization, Map<String, @Nullable Object> document) {
        Map<UUID, Set<String>> named = named(document);
        if (!named.isEmpty()) {
            var _ = handle.createQuery("""
                            SELECT id FROM data_lake WHERE organization_id = :organization AND id = ANY (:named)
                            ORDER BY id FOR SHARE""")
                    .bind("organization", organization)
                    .bindArray("named", UUID.class, named.keySet())
                    .mapTo(UUID.class)
                    .list();
        }
    }

    @Override
    public void requireUnused(Handle handle, OrganizationId organization, DataLakeId lake) {
        List<String> readers = publishedReaders(handle, organization, lake);
        if (!readers.isEmpty()) {
            throw InUseConflict.conflict("data lake", readers);
        }
    }

    /** The names of the workflows whose published version reads a data lake. */
    private static List<String> publishedReaders(Handle handle, OrganizationId organization, DataLakeId lake) {
        record PublishedDocument(String name, String document) {}
        List<PublishedDocument> candidates = handle.createQuery("""
                        SELECT w.name, v.document FROM workflow w JOIN workflow_version v
                          ON v.organization_id = w.organization_id AND v.workflow_id = w.id
                          AND v.version = w.published_version
                        WHERE w.organization_id = :organization AND w.archived_at IS NULL
                          AND replace(lower(v.document), '-', '') LIKE '%' || :lake || '%'
                        ORDER BY w.id""")
                .bind("organization", organization)
                .bind("lake", lake.text())
                .mapTo(PublishedDocument.class)
                .list();
        List<String> readers = new ArrayList<>();
        for (PublishedDocument candidate : candidates) {
            if (named(StrictJson.readObject(candidate.document)).containsKey(lake.value())) {
                readers.add(candidate.name);
            }
        }
        return readers;
    }

    /** The ids in a document, each with all its spellings. */
    private static Map<UUID, Set<String>> named(Map<String, ? extends @Nullable Object> document) {
        Map<UUID, Set<String>> named = new HashMap<>();
        if (document.get("tasks") instanceof List<?> tasks) {
            for (Object task : tasks) {
                if (task instanceof Map<?, ?> fields && fields.get("input_parameters") instanceof List<?> inputs) {
                    for (Object input : inputs) {
                        if (input instanceof Map<?, ?> parameter
                                && parameter.get("data_lake_id") instanceof String id) {
                            DataLakeId.parse(id)
                                    .ifPresent(lake -> named.computeIfAbsent(lake.value(), _ -> new HashSet<>())
                                            .add(id));
                        }
                    }
                }
            }
        }
        return named;
    }
}
