package dev.parley.workflow.instance.store;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.definition.PublishedDefinitions;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import dev.parley.workflow.expression.core.EvaluationCost;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Caches compiled definitions: published versions are immutable, and drafts under test are keyed by their text. */
@Singleton
public final class PlanCache {
    /** In the smallest heap. */
    private static final int TASKS_KEPT = 20_000;

    private record PlanKey(OrganizationId organization, WorkflowId workflow, int version, String draft) {}

    private final PublishedDefinitions definitions;
    private final AsyncCache<PlanKey, ExecutionPlan> cache;

    public PlanCache(PublishedDefinitions definitions, ServiceSize size) {
        this.definitions = definitions;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(size.byHeap(TASKS_KEPT))
                .weigher((PlanKey _, ExecutionPlan plan) -> plan.size())
                .buildAsync();
    }

    /** The plan of a published version; empty if there is no such version. */
    public Optional<ExecutionPlan> published(OrganizationId organization, WorkflowId workflow, int version) {
        return get(
                new PlanKey(organization, workflow, version, ""),
                () -> definitions.find(organization, workflow, version));
    }

    /** The plan of an existing instance. */
    public ExecutionPlan of(InstanceHeader header) {
        String draft = header.definition();
        return (draft == null
                        ? published(header.organization(), header.workflow(), header.workflowVersion())
                        : get(
                                new PlanKey(header.organization(), header.workflow(), 0, draft),
                                () -> Optional.of(read(draft))))
                .orElseThrow(() -> new IllegalStateException("instance " + header.id() + " has no definition"));
    }

    /** Compiles without a lock of the cache, which would block other keys: a compilation waits for its turns. */
    private Optional<ExecutionPlan> get(PlanKey key, Supplier<Optional<WorkflowDefinition>> definition) {
        var compiled = new CompletableFuture<@Nullable ExecutionPlan>();
        CompletableFuture<@Nullable ExecutionPlan> known = cache.asMap().putIfAbsent(key, compiled);
        if (known == null) {
            try {
                compiled.complete(EvaluationCost.inTurnsOf(
                        key.organization,
                        () -> definition.get().map(ExecutionPlan::of).orElse(null)));
            } catch (RuntimeException | Error e) {
                compiled.completeExceptionally(e);
                throw e;
            }
        }
        try {
            return Optional.ofNullable((known == null ? compiled : known).join());
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static WorkflowDefinition read(String draft) {
        return DefinitionValidator.readStored(StrictJson.readObject(draft)).required();
    }
}
