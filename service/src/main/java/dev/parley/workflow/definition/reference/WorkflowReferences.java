package dev.parley.workflow.definition.reference;

import dev.parley.datalake.DataLakeUseGuard;
import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.store.DataLake;
import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.check.BrokenColumns;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import dev.parley.workflow.definition.core.check.DocumentReferences;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Keeps what documents reference, in the transactions that save and publish them. While the published version of a
 * workflow uses code or a data lake, it cannot be deleted, and a new file must have the columns that the workflow needs.
 */
@Singleton
public final class WorkflowReferences implements DataLakeUseGuard {
    private static final int MAX_NAMES = 10;

    private final WorkflowReferenceStore store;

    public WorkflowReferences(Database database) {
        this.store = database.statements(WorkflowReferenceStore.class);
    }

    /** Replaces the references of a draft. */
    public void replaceDraft(OrganizationId organization, WorkflowId workflow, DocumentReferences now) {
        List<String> kinds = new ArrayList<>();
        List<String> targets = new ArrayList<>();
        Map.of(
                        ReferenceKind.TOOL, now.tools(),
                        ReferenceKind.CODE_ARTIFACT, now.codeArtifacts(),
                        ReferenceKind.DATA_LAKE, now.dataLakes().keySet(),
                        ReferenceKind.TEAM, now.teams())
                .forEach((kind, ids) -> ids.forEach(id -> {
                    kinds.add(kind.text());
                    targets.add(id instanceof UUID lake ? new DataLakeId(lake).text() : id.toString());
                }));
        store.delete(organization, workflow, false);
        store.insertDraft(organization, workflow, kinds, targets);
    }

    /** Blocks the deletion of data lakes until commit. */
    public void lock(OrganizationId organization, Collection<UUID> lakes) {
        if (!lakes.isEmpty()) {
            var _ = store.lockDataLakes(organization, lakes);
        }
    }

    /** Makes the references of the draft those of the published version. */
    public void publish(OrganizationId organization, WorkflowId workflow) {
        store.delete(organization, workflow, true);
        store.publishDraft(organization, workflow);
    }

    /** A 409 that names the workflows whose published version references an entity. The caller has locked its row. */
    public void requireUnpublished(OrganizationId organization, ReferenceKind kind, String target) {
        List<WorkflowUser> users = store.publishedNames(organization, kind, target).stream()
                .map(name -> new WorkflowUser(name, List.of()))
                .toList();
        requireNone("Published workflows use this " + kind.noun() + ": ", users, ", ", " and ");
    }

    @Override
    public void requireUnused(OrganizationId organization, DataLakeId lake) {
        requireUnpublished(organization, ReferenceKind.DATA_LAKE, lake.text());
    }

    @Override
    public void requireColumns(OrganizationId organization, DataLakeId lake, List<DataLake.Column> columns) {
        Map<String, ColumnType> types = new HashMap<>();
        columns.forEach(column -> types.put(column.name(), ColumnType.of(column.type())));
        List<WorkflowUser> broken = new ArrayList<>();
        for (String document : store.publishedDocuments(organization, ReferenceKind.DATA_LAKE, lake.text())) {
            WorkflowDefinition workflow = DefinitionValidator.readStored(StrictJson.readObject(document))
                    .required();
            List<String> reasons = BrokenColumns.of(workflow, lake, types);
            if (!reasons.isEmpty()) {
                broken.add(new WorkflowUser(workflow.name(), reasons));
            }
        }
        requireNone("The new file breaks published workflows: ", broken, "; ", "; and ");
    }

    private static void requireNone(String sentence, List<WorkflowUser> users, String separator, String last) {
        int more = users.size() - MAX_NAMES;
        if (!users.isEmpty()) {
            List<WorkflowUser> shown = users.stream().limit(MAX_NAMES).toList();
            throw ApiProblem.of(
                            ProblemKind.IN_USE,
                            sentence
                                    + shown.stream().map(WorkflowUser::text).collect(Collectors.joining(separator))
                                    + (more > 0 ? last + more + " more." : "."))
                    .with("workflows", shown);
        }
    }

    /**
     * A workflow that prevents a change.
     *
     * @param reasons why it would break; empty if its use is the reason
     */
    record WorkflowUser(String name, List<String> reasons) {
        private String text() {
            return reasons.isEmpty() ? "'" + name + "'" : "'" + name + "' " + String.join(", ", reasons);
        }
    }
}
