package dev.parley.workflow.instance.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.definition.PublishedDefinitions;
import dev.parley.workflow.definition.core.DefinitionValidator;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.instance.core.ExecutionPlan;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Caches compiled definitions: published versions are immutable, and drafts under test are keyed by their text. */
@Singleton
public final class PlanCache {
    /** In the smallest heap. */
    private static final int TASKS_KEPT = 20_000;

    private record PlanKey(OrganizationId organization, WorkflowId workflow, int version, String draft) {}

    private final PublishedDefinitions definitions;
    private final Cache<PlanKey, ExecutionPlan> cache;

    public PlanCache(PublishedDefinitions definitions, ServiceSize size) {
        this.definitions = definitions;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(size.byHeap(TASKS_KEPT))
                .weigher((PlanKey _, ExecutionPlan plan) -> plan.size())
                .build();
    }

    /** The plan of a published version; empty if there is no such version. */
    public Optional<ExecutionPlan> published(OrganizationId organization, WorkflowId workflow, int version) {
        return Optional.ofNullable(cache.get(new PlanKey(organization, workflow, version, ""), _ -> definitions
                .find(organization, workflow, version)
                .map(ExecutionPlan::of)
                .orElse(null)));
    }

    /** The plan of an existing instance. */
    public ExecutionPlan of(InstanceHeader header) {
        String draft = header.definition();
        if (draft == null) {
            return published(header.organization(), header.workflow(), header.workflowVersion())
                    .orElseThrow(() -> new IllegalStateException("instance " + header.id() + " has no definition"));
        }
        return cache.get(
                new PlanKey(header.organization(), header.workflow(), 0, draft), _ -> ExecutionPlan.of(read(draft)));
    }

    private static WorkflowDefinition read(String draft) {
        return DefinitionValidator.readStored(StrictJson.readObject(draft)).required();
    }
}
