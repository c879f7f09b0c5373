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
 * What request bodies may take of the heap together. A body of a megabyte takes some twenty once it is read as JSON, so
 * that a hundred of them at once would end the service; here each waits for its turn before it is read. One caller gets
 * half at most, so that whoever sends slowly, or much, is in nobody's way but their own.
 */
final class BodyBudget {
    private final long total;
    private final long mostOfOne;
    private final Map<String, Long> used = new HashMap<>();
    private final Queue<BudgetPermit> waiting = new ArrayDeque<>();
    private long allUsed;

    /** @param total bytes of bodies, as they are sent */
    BodyBudget(long total) {
        this.total = total;
        this.mostOfOne = total / 2;
    }

    /** A body's place in the budget, from the moment that it is granted until it is closed. */
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

        /** True as soon as the body may be read; false when its turn did not come in time. */
        CompletableFuture<Boolean> granted() {
            return granted;
        }

        @Override
        public void close() {
            BodyBudget.this.close(this);
        }
    }

    /**
     * Asks for a place; who closes it early, or after the patience is over, leaves the queue.
     *
     * @param bytes at most half of the budget are counted
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

    /** How many wait. */
    synchronized int waiting() {
        return waiting.size();
    }

    private boolean fits(BudgetPermit place) {
        return allUsed + place.bytes <= total && hasRoomOfItsOwn(place);
    }

    private boolean hasRoomOfItsOwn(BudgetPermit place) {
        return used.getOrDefault(place.caller, 0L) + place.bytes <= mostOfOne;
    }

    /** Who only waits for room of their own is passed by others; else a large body would wait for ever behind small ones. */
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
                    return; // It waits for room of all, before whoever comes after it.
                } else {
                    passed.add(next.caller);
                }
            }
        }
    }
}
