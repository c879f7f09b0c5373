package dev.parley.workflow.definition;

import dev.parley.datalake.DataLake;
import dev.parley.datalake.DataLakeUseGuard;
import dev.parley.datalake.core.ColumnType;
import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.BrokenColumns;
import dev.parley.workflow.definition.core.DefinitionValidator;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Finds the data lakes that definitions read. While the published version of a workflow reads a data lake, it cannot be
 * deleted, and a new file must have the columns that the workflow needs.
 */
@Singleton
public final class DataLakeReferences implements DataLakeUseGuard {
    private static final int MAX_NAMES = 10;

    private final Database database;

    public DataLakeReferences(Database database) {
        this.database = database;
    }

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
    public void requireUnused(OrganizationId organization, DataLakeId lake) {
        database.change(handle ->
                WorkflowReferences.requireUnpublished(handle, organization, ReferenceKind.DATA_LAKE, lake.text()));
    }

    @Override
    public void requireColumns(OrganizationId organization, DataLakeId lake, List<DataLake.Column> columns) {
        Map<String, ColumnType> types = new HashMap<>();
        columns.forEach(column -> types.put(column.name(), ColumnType.of(column.type())));
        List<String> broken = new ArrayList<>();
        for (WorkflowDefinition workflow : publishedReaders(organization, lake)) {
            List<String> reasons = BrokenColumns.of(workflow, lake, types);
            if (!reasons.isEmpty()) {
                broken.add("'" + workflow.name() + "' " + String.join(", ", reasons));
            }
        }
        if (!broken.isEmpty()) {
            int more = broken.size() - MAX_NAMES;
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "The new file breaks published workflows: "
                            + broken.stream().limit(MAX_NAMES).collect(Collectors.joining("; "))
                            + (more > 0 ? "; and " + more + " more." : "."));
        }
    }

    private List<WorkflowDefinition> publishedReaders(OrganizationId organization, DataLakeId lake) {
        return database.transaction(handle -> handle.createQuery("""
                        SELECT v.document FROM workflow_reference r
                        JOIN workflow w ON w.organization_id = r.organization_id AND w.id = r.workflow_id
                        JOIN workflow_version v ON v.organization_id = w.organization_id AND v.workflow_id = w.id
                          AND v.version = w.published_version
                        WHERE r.organization_id = :organization AND r.kind = :kind AND r.target = :target
                          AND r.published AND w.archived_at IS NULL
                        ORDER BY w.id""")
                .bind("organization", organization)
                .bind("kind", ReferenceKind.DATA_LAKE.text())
                .bind("target", lake.text())
                .mapTo(String.class)
                .map(document -> DefinitionValidator.readStored(StrictJson.readObject(document))
                        .required())
                .list());
    }
}
