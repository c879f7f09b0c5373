package dev.parley.workflow.definition;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Caches the definitions of published versions. Versions are immutable, so entries never become stale on any node. */
@Singleton
public final class PublishedDefinitions {
    /** The maximum number of tasks over all definitions cached in the smallest heap; a task takes a few kilobytes. */
    private static final int TASKS_KEPT = 20_000;

    private record DefinitionKey(OrganizationId organization, WorkflowId workflow, int version) {}

    private final WorkflowStore statements;
    private final Cache<DefinitionKey, WorkflowDefinition> cache;

    public PublishedDefinitions(Database database, ServiceSize size) {
        this.statements = database.statements(WorkflowStore.class);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(size.byHeap(TASKS_KEPT))
                .weigher((DefinitionKey _, WorkflowDefinition definition) ->
                        definition.tasks().size())
                .build();
    }

    /** The definition of a version; empty if there is no such version. */
    public Optional<WorkflowDefinition> find(OrganizationId organization, WorkflowId workflow, int version) {
        return Optional.ofNullable(cache.get(new DefinitionKey(organization, workflow, version), key -> statements
                .version(key.organization, key.workflow, key.version)
                .map(stored -> DefinitionValidator.readStored(stored.document()).required())
                .orElse(null)));
    }
}
