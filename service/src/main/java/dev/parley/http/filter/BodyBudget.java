package dev.parley.http.filter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Limits the total heap used by request bodies: a body of 1 MiB takes some 20 MiB as parsed JSON, and a hundred at once
 * would exhaust the heap. A body waits for its permit before it is read. One caller gets at most half, so that a slow
 * or large sender delays only itself.
 */
final class BodyBudget {
    private final long total;
    private final long maxPerCaller;
    private final Map<String, Long> used = new HashMap<>();
    private final Queue<BudgetPermit> waiting = new ArrayDeque<>();
    private long totalUsed;

    /** @param total bytes of bodies, as sent */
    BodyBudget(long total) {
        this.total = total;
        this.maxPerCaller = total / 2;
    }

    /** A body's permit, queued until it is granted and held until it is closed. */
    final class BudgetPermit implements AutoCloseable {
        private final String caller;
        private final long bytes;
        private final CompletableFuture<Boolean> granted = new CompletableFuture<>();
        private boolean isHeld;
        private boolean closed;

        private BudgetPermit(String caller, long bytes) {
            this.caller = caller;
            this.bytes = bytes;
        }

        /** True when the body may be read; false if the wait timed out. */
        CompletableFuture<Boolean> granted() {
            return granted;
        }

        @Override
        public void close() {
            BodyBudget.this.close(this);
        }
    }

    /**
     * Requests a permit; closing it early, or a timeout, leaves the queue.
     *
     * @param bytes capped at half of the budget
     */
    BudgetPermit request(String caller, long bytes, Duration timeout) {
        var permit = new BudgetPermit(caller, Math.min(bytes, maxPerCaller));
        synchronized (this) {
            if (fits(permit) && waiting.stream().allMatch(other -> mayOvertake(permit, other))) {
                grant(permit);
            } else {
                waiting.add(permit);
            }
        }
        permit.granted.completeOnTimeout(false, timeout.toNanos(), TimeUnit.NANOSECONDS);
        return permit;
    }

    /** The number of waiting requests. */
    synchronized int waiting() {
        return waiting.size();
    }

    private boolean fits(BudgetPermit permit) {
        return totalUsed + permit.bytes <= total && fitsCallerShare(permit);
    }

    private boolean fitsCallerShare(BudgetPermit permit) {
        return used.getOrDefault(permit.caller, 0L) + permit.bytes <= maxPerCaller;
    }

    /**
     * Requests that wait only for their own caller's share may be overtaken; others may not, so that a large body does
     * not starve behind small ones.
     */
    private boolean mayOvertake(BudgetPermit permit, BudgetPermit other) {
        return other.granted.isDone() || (!other.caller.equals(permit.caller) && !fitsCallerShare(other));
    }

    private void grant(BudgetPermit permit) {
        if (permit.granted.complete(true)) {
            permit.isHeld = true;
            totalUsed += permit.bytes;
            used.merge(permit.caller, permit.bytes, Long::sum);
        }
    }

    private synchronized void close(BudgetPermit permit) {
        if (permit.closed) {
            return;
        }
        permit.closed = true;
        permit.granted.complete(false);
        if (permit.isHeld) {
            totalUsed -= permit.bytes;
            used.computeIfPresent(permit.caller, (_, bytes) -> bytes == permit.bytes ? null : bytes - permit.bytes);
        }
        Set<String> passed = new HashSet<>();
        for (Iterator<BudgetPermit> queue = waiting.iterator(); queue.hasNext(); ) {
            BudgetPermit next = queue.next();
            if (next.granted.isDone()) {
                queue.remove();
            } else if (!passed.contains(next.caller)) {
                if (fits(next)) {
                    queue.remove();
                    grant(next);
                } else if (fitsCallerShare(next)) {
                    return; // It waits for the shared budget; later requests must not overtake it.
                } else {
                    passed.add(next.caller);
                }
            }
        }
    }
}
