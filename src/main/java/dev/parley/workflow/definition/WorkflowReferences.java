package dev.parley.workflow.definition;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.DocumentReferences;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code workflow_reference}: what the draft and the newest published version of each workflow reference. It
 * is written in the transaction that saves or publishes the document.
 */
public final class WorkflowReferences {
    private static final int MAX_NAMES = 10;

    private WorkflowReferences() {}

    /** A workflow that references an entity. */
    @Schema(name = "ReferencingWorkflow")
    public record ReferencingWorkflow(
            @Schema(examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
            WorkflowId id,

            @Schema(examples = "Invoice approval") String name,

            @Schema(description = "Whether the draft references it")
            boolean inDraft,

            @Schema(description = "Whether the newest published version references it")
            boolean inPublished) {}

    /**
     * The workflows that reference an entity.
     *
     * @param total the number of all workflows; only the first ones are listed
     */
    record Usage(int total, List<ReferencingWorkflow> workflows) {
        static final Usage NONE = new Usage(0, List.of());

        Usage {
            workflows = List.copyOf(workflows);
        }
    }

    /** Replaces the references of a draft. */
    static void replaceDraft(Handle handle, OrganizationId organization, WorkflowId workflow, DocumentReferences now) {
        delete(handle, organization, workflow, false);
        List<String> kinds = new ArrayList<>();
        List<String> targets = new ArrayList<>();
        add(ReferenceKind.TOOL, now.tools(), id -> Integer.toString(id), kinds, targets);
        add(ReferenceKind.CODE_ARTIFACT, now.codeArtifacts(), id -> Integer.toString(id), kinds, targets);
        add(ReferenceKind.DATA_LAKE, now.dataLakes().keySet(), WorkflowReferences::text, kinds, targets);
        add(ReferenceKind.TEAM, now.teams(), id -> Integer.toString(id), kinds, targets);
        if (!kinds.isEmpty()) {
            handle.createUpdate("""
                            INSERT INTO workflow_reference (organization_id, kind, target, workflow_id, published)
                            SELECT :organization, kind, target, :workflow, false
                            FROM unnest(:kinds::text[], :targets::text[]) AS named(kind, target)""")
                    .bind("organization", organization)
                    .bind("workflow", workflow)
                    .bindArray("kinds", String.class, kinds)
                    .bindArray("targets", String.class, targets)
                    .execute();
        }
    }

    private static <I> void add(
            ReferenceKind kind, Collection<I> ids, Function<I, String> text, List<String> kinds, List<String> targets) {
        for (I id : ids) {
            kinds.add(kind.text());
            targets.add(text.apply(id));
        }
    }

    /** A data lake's id as the API writes it. */
    private static String text(UUID id) {
        return id.toString().replace("-", "");
    }

    /** Makes the references of the draft those of the published version. */
    static void publish(Handle handle, OrganizationId organization, WorkflowId workflow) {
        delete(handle, organization, workflow, true);
        handle.createUpdate("""
                        INSERT INTO workflow_reference (organization_id, kind, target, workflow_id, published)
                        SELECT organization_id, kind, target, workflow_id, true FROM workflow_reference
                        WHERE organization_id = :organization AND workflow_id = :workflow AND NOT published""")
                .bind("organization", organization)
                .bind("workflow", workflow)
                .execute();
    }

    private static void delete(Handle handle, OrganizationId organization, WorkflowId workflow, boolean published) {
        handle.createUpdate("""
                        DELETE FROM workflow_reference
                        WHERE organization_id = :organization AND workflow_id = :workflow AND published = :published""")
                .bind("organization", organization)
                .bind("workflow", workflow)
                .bind("published", published)
                .execute();
    }

    /**
     * The usages of entities by workflows that are not archived. Several references may count for one target, such as
     * the tools of a provider.
     *
     * @param targets the target of each reference
     * @param limit the number of workflows listed for each target, newest first
     */
    static Map<String, Usage> usages(
            Handle handle,
            OrganizationId organization,
            ReferenceKind kind,
            List<String> targets,
            List<String> references,
            int limit) {
        record UsageRow(String target, WorkflowId id, String name, boolean inDraft, boolean inPublished, int total) {}
        Map<String, List<UsageRow>> rows = handle.createQuery("""
                        SELECT * FROM (
                            SELECT u.*, count(*) OVER (PARTITION BY target) AS total,
                                row_number() OVER (PARTITION BY target ORDER BY id DESC) AS number
                            FROM (
                                SELECT named.target, w.id, w.name, bool_or(NOT r.published) AS in_draft,
                                    bool_or(r.published) AS in_published
                                FROM unnest(:targets::text[], :references::text[]) AS named(target, reference)
                                JOIN workflow_reference r ON r.organization_id = :organization AND r.kind = :kind
                                  AND r.target = named.reference
                                JOIN workflow w ON w.organization_id = r.organization_id AND w.id = r.workflow_id
                                WHERE w.archived_at IS NULL
                                GROUP BY named.target, w.id, w.name) u) numbered
                        WHERE number <= :limit ORDER BY id DESC""")
                .bind("organization", organization)
                .bind("kind", kind.text())
                .bindArray("targets", String.class, targets)
                .bindArray("references", String.class, references)
                .bind("limit", limit)
                .mapTo(UsageRow.class)
                .collect(Collectors.groupingBy(UsageRow::target));
        Map<String, Usage> usages = new LinkedHashMap<>();
        rows.forEach((target, found) -> usages.put(
                target,
                new Usage(
                        found.getFirst().total(),
                        found.stream()
                                .map(row ->
                                        new ReferencingWorkflow(row.id(), row.name(), row.inDraft(), row.inPublished()))
                                .toList())));
        return usages;
    }

    /** A 409 that names the workflows whose published version references an entity. The caller has locked its row. */
    public static void requireUnpublished(
            Handle handle, OrganizationId organization, ReferenceKind kind, String target) {
        List<String> users = handle.createQuery("""
                        SELECT w.name FROM workflow_reference r
                        JOIN workflow w ON w.organization_id = r.organization_id AND w.id = r.workflow_id
                        WHERE r.organization_id = :organization AND r.kind = :kind AND r.target = :target
                          AND r.published AND w.archived_at IS NULL
                        ORDER BY w.id""")
                .bind("organization", organization)
                .bind("kind", kind.text())
                .bind("target", target)
                .mapTo(String.class)
                .list();
        if (!users.isEmpty()) {
            String names = users.stream()
                    .limit(MAX_NAMES)
                    .map(name -> "'" + name + "'")
                    .collect(Collectors.joining(", "));
            int more = users.size() - MAX_NAMES;
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "Published workflows use this " + kind.noun() + ": " + names
                            + (more > 0 ? " and " + more + " more." : "."));
        }
    }
}
