package dev.parley.engine.restate.projection;

import dev.parley.id.OrganizationId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The approximate number of running instances by organization: PostgreSQL's, and the changes of this node since. */
public final class RunningCounts {
    private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** @param change starts minus ends on this node since the count */
    private record CountedInstances(int count, long at, AtomicInteger change) {}

    private final ProjectedInstances projected;
    private final Map<OrganizationId, CountedInstances> counts = new ConcurrentHashMap<>();

    public RunningCounts(ProjectedInstances projected) {
        this.projected = projected;
    }

    public int running(OrganizationId organization) {
        CountedInstances known = counts.get(organization);
        if (known == null || System.nanoTime() - known.at > KEPT_NANOS) {
            known = new CountedInstances(projected.running(organization), System.nanoTime(), new AtomicInteger());
            counts.put(organization, known);
        }
        return Math.max(0, known.count + known.change.get());
    }

    public void started(OrganizationId organization) {
        add(organization, 1);
    }

    public void ended(OrganizationId organization) {
        add(organization, -1);
    }

    private void add(OrganizationId organization, int change) {
        CountedInstances known = counts.get(organization);
        if (known != null) {
            known.change.addAndGet(change);
        }
    }
}
