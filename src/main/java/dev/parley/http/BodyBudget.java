package dev.parley.http;

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
    private final long mostOfOne;
    private final Map<String, Long> used = new HashMap<>();
    private final Queue<BudgetPermit> waiting = new ArrayDeque<>();
    private long allUsed;

    /** @param total bytes of bodies, as sent */
    BodyBudget(long total) {
        this.total = total;
        this.mostOfOne = total / 2;
    }

    /** A body's permit, queued until it is granted and held until it is closed. */
    final class BudgetPermit implements AutoCloseable {
        private final String caller;
        private final long bytes;
        private final CompletableFuture<Boolean> granted = new CompletableFuture<>();
        private boolean held;
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
    BudgetPermit ask(String caller, long bytes, Duration patience) {
        var place = new BudgetPermit(caller, Math.min(bytes, mostOfOne));
        synchronized (this) {
            if (fits(place) && waiting.stream().allMatch(before -> mayPass(place, before))) {
                hold(place);
            } else {
                waiting.add(place);
            }
        }
        place.granted.completeOnTimeout(false, patience.toNanos(), TimeUnit.NANOSECONDS);
        return place;
    }

    /** The number of waiting requests. */
    synchronized int waiting() {
        return waiting.size();
    }

    private boolean fits(BudgetPermit place) {
        return allUsed + place.bytes <= total && hasRoomOfItsOwn(place);
    }

    private boolean hasRoomOfItsOwn(BudgetPermit place) {
        return used.getOrDefault(place.caller, 0L) + place.bytes <= mostOfOne;
    }

    /**
     * Requests that wait only for their own caller's share may be overtaken; others may not, so that a large body does
     * not starve behind small ones.
     */
    private boolean mayPass(BudgetPermit place, BudgetPermit before) {
        return before.granted.isDone() || (!before.caller.equals(place.caller) && !hasRoomOfItsOwn(before));
    }

    private void hold(BudgetPermit place) {
        if (place.granted.complete(true)) {
            place.held = true;
            allUsed += place.bytes;
            used.merge(place.caller, place.bytes, Long::sum);
        }
    }

    private synchronized void close(BudgetPermit place) {
        if (place.closed) {
            return;
        }
        place.closed = true;
        place.granted.complete(false);
        if (place.held) {
            allUsed -= place.bytes;
            used.computeIfPresent(place.caller, (_, bytes) -> bytes == place.bytes ? null : bytes - place.bytes);
        }
        Set<String> passed = new HashSet<>();
        for (Iterator<BudgetPermit> queue = waiting.iterator(); queue.hasNext(); ) {
            BudgetPermit next = queue.next();
            if (next.granted.isDone()) {
                queue.remove();
            } else if (!passed.contains(next.caller)) {
                if (fits(next)) {
                    queue.remove();
                    hold(next);
                } else if (hasRoomOfItsOwn(next)) {
                    return; // It waits for the shared budget; later requests must not overtake it.
                } else {
                    passed.add(next.caller);
                }
            }
        }
    }
}
