package dev.parley.work;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.parley.id.OrganizationId;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * FIFO semaphore; one organization may hold at most half of the permits, but at least one, so that its work does not
 * starve the others.
 */
public final class FairSemaphore {
    private final int all;
    private final Semaphore free;

    /** Entries expire when no work of the organization runs or waits. */
    private final LoadingCache<OrganizationId, Semaphore> ofOrganization;

    public FairSemaphore(int all) {
        this.all = all;
        this.free = new Semaphore(all, true);
        this.ofOrganization = Caffeine.newBuilder().weakValues().build(_ -> new Semaphore(share(), true));
    }

    /** The number of permits that one organization may hold. */
    private int share() {
        return Math.max(1, all / 2);
    }

    /** Permits; closing it releases them. */
    public record FairPermit(Semaphore own, Semaphore free, int count) implements AutoCloseable {
        @Override
        public void close() {
            free.release(count);
            own.release(count);
        }
    }

    /** Waits for a permit; null if the time runs out. */
    public @Nullable FairPermit take(OrganizationId organization, Duration patience) throws InterruptedException {
        return take(organization, 1, patience);
    }

    /** Same for several permits at once; more than an organization may hold count as all that it may. */
    public @Nullable FairPermit take(OrganizationId organization, int wanted, Duration patience)
            throws InterruptedException {
        int count = Math.min(wanted, share());
        long deadline = System.nanoTime() + patience.toNanos();
        Semaphore own = ofOrganization.get(organization);
        if (!own.tryAcquire(count, patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        boolean taken = false;
        try {
            taken = free.tryAcquire(count, Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return taken ? new FairPermit(own, free, count) : null;
        } finally {
            if (!taken) {
                own.release(count);
            }
        }
    }

    public int taken() {
        return all - free.availablePermits();
    }
}
