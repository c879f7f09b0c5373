package dev.parley.workflow.instance;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.definition.PublishedDefinitions;
import dev.parley.workflow.definition.core.Definition;
import dev.parley.workflow.definition.core.Validator;
import dev.parley.workflow.instance.core.Plan;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Compiled definitions, kept: a published version never changes, and a draft under test is kept by its text. */
@Singleton
public final class Plans {
    private static final int TASKS_KEPT = 20_000;

    private record Key(OrganizationId organization, WorkflowId workflow, int version, String draft) {}

    private final PublishedDefinitions definitions;
    private final Cache<Key, Plan> cache = Caffeine.newBuilder()
            .maximumWeight(TASKS_KEPT)
            .weigher((Key _, Plan plan) -> plan.size())
            .build();

    public Plans(PublishedDefinitions definitions) {
        this.definitions = definitions;
    }

    /** The plan of a published version; empty when there is no such version. */
    public Optional<Plan> published(OrganizationId organization, WorkflowId workflow, int version) {
        return Optional.ofNullable(cache.get(new Key(organization, workflow, version, ""), _ -> definitions
                .find(organization, workflow, version)
                .map(Plan::of)
                .orElse(null)));
    }

    /** The plan of an instance that exists. */
    public Plan of(InstanceHeader header) {
        String draft = header.definition();
        if (draft == null) {
            return published(header.organization(), header.workflow(), header.workflowVersion())
                    .orElseThrow(() -> new IllegalStateException("instance " + header.id() + " has no definition"));
        }
        return cache.get(new Key(header.organization(), header.workflow(), 0, draft), _ -> Plan.of(read(draft)));
    }

    private static Definition read(String draft) {
        return Validator.readStored(StrictJson.readObject(draft)).required();
    }
}
