package dev.parley.engine.restate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.PlanCache;
import dev.parley.workflow.instance.store.StoredInstance;
import java.util.Optional;

/** Caches the immutable properties of instances, which PostgreSQL has from the start on, and maps keys of objects. */
final class InstanceHeaders {
    private static final int KEPT = 10_000;

    private final InstanceReader reader;
    private final PlanCache plans;
    private final Cache<InstanceKey, InstanceHeader> cache =
            Caffeine.newBuilder().maximumSize(KEPT).build();

    InstanceHeaders(InstanceReader reader, PlanCache plans) {
        this.reader = reader;
        this.plans = plans;
    }

    /** The key of the object of an instance. */
    static String objectKey(InstanceKey key) {
        return key.organization().text() + "." + key.id().text();
    }

    /** The instance of an object. */
    static InstanceKey instanceKey(String objectKey) {
        int dot = objectKey.indexOf('.');
        return new InstanceKey(
                OrganizationId.parse(objectKey.substring(0, dot)).orElseThrow(),
                WorkflowInstanceId.parse(objectKey.substring(dot + 1)).orElseThrow());
    }

    void put(InstanceHeader header) {
        cache.put(new InstanceKey(header.organization(), header.id()), header);
    }

    InstanceHeader of(InstanceKey instance) {
        return find(instance).orElseThrow(() -> new IllegalStateException("instance " + instance.id() + " has no row"));
    }

    /** Empty if the instance was deleted with its organization. */
    Optional<InstanceHeader> find(InstanceKey instance) {
        return Optional.ofNullable(cache.get(instance, key -> reader.find(key.organization(), key.id())
                .map(StoredInstance::header)
                .orElse(null)));
    }

    ExecutionPlan plan(InstanceHeader header) {
        return plans.of(header);
    }
}
