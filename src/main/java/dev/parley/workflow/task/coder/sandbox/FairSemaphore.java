package dev.parley.workflow.task.coder.sandbox;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.parley.id.OrganizationId;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who may run code now: in the order in which they came, and one organization at most half of all at once, so that
 * loops without end of one do not keep the others waiting.
 */
final class FairSemaphore {
    private final int all;
    private final Semaphore free;

    /** Forgotten when nobody of the organization runs or waits. */
    private final LoadingCache<OrganizationId, Semaphore> ofOrganization;

    FairSemaphore(int all) {
        this.all = all;
        this.free = new Semaphore(all, true);
        this.ofOrganization =
                Caffeine.newBuilder().weakValues().build(_ -> new Semaphore(Math.max(1, (all + 1) / 2), true));
    }

    /** A turn that was taken; closing it gives it back. */
    record SandboxPermit(Semaphore own, Semaphore free) implements AutoCloseable {
        @Override
        public void close() {
            free.release();
            own.release();
        }
    }

    /** Waits for a turn; null when none came in time. */
    @Nullable
    SandboxPermit take(OrganizationId organization, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Semaphore own = ofOrganization.get(organization);
        if (!own.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        boolean taken = false;
        try {
            taken = free.tryAcquire(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return taken ? new SandboxPermit(own, free) : null;
        } finally {
            if (!taken) {
                own.release();
            }
        }
    }

    int taken() {
        return all - free.availablePermits();
    }
}
