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
        this.ofOrganization = Caffeine.newBuilder().weakValues().build(_ -> new Semaphore(Math.max(1, all / 2), true));
    }

    /** A permit; closing it releases it. */
    public record FairPermit(Semaphore own, Semaphore free) implements AutoCloseable {
        @Override
        public void close() {
            free.release();
            own.release();
        }
    }

    /** Waits for a permit; null if the time runs out. */
    public @Nullable FairPermit take(OrganizationId organization, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Semaphore own = ofOrganization.get(organization);
        if (!own.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        boolean taken = false;
        try {
            taken = free.tryAcquire(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return taken ? new FairPermit(own, free) : null;
        } finally {
            if (!taken) {
                own.release();
            }
        }
    }

    public int taken() {
        return all - free.availablePermits();
    }
}
