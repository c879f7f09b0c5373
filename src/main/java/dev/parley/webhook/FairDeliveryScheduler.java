package dev.parley.webhook;

import dev.parley.id.OrganizationId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whose turn it is: the lanes of this node that have something to send, by receiver. Receivers take turns, and each has
 * a bounded number of places, fewer when it is slow; so has each organization, however many receivers it names. So one
 * that is slow, or down, holds only its own places, and delays nobody else. Safe for use by many threads.
 */
final class FairDeliveryScheduler {
    static final int PLACES = 600;
    private static final int OF_ORGANIZATION = 200;
    private static final int OF_RECEIVER = 32;
    private static final int OF_SLOW_RECEIVER = 8;

    /** Lanes that are kept in memory, of one receiver and in all; a receiver may always have a few. */
    static final int WAITING_OF_RECEIVER = 2_000;

    private static final int WAITING = 20_000;
    private static final int WAITING_ALWAYS = 50;

    private final Map<DeliveryReceiver, Queue> queues = new HashMap<>();
    private final Map<OrganizationId, Integer> runningOf = new HashMap<>();
    private final Set<DeliveryQueue> known = new HashSet<>();

    /** Those with a lane that waits and a place for it, in the order of their turns. */
    private final LinkedHashSet<Queue> ready = new LinkedHashSet<>();

    private int running;
    private boolean overflowed;

    /** A lane whose turn it is. */
    record DeliverySlot(DeliveryQueue lane, DeliveryReceiver receiver) {}

    private static final class Queue {
        final DeliveryReceiver receiver;
        final Deque<DeliveryQueue> waiting = new ArrayDeque<>();
        int running;
        boolean slow;
        boolean overflowed;

        Queue(DeliveryReceiver receiver) {
            this.receiver = receiver;
        }

        boolean isReady() {
            return !waiting.isEmpty() && running < (slow ? OF_SLOW_RECEIVER : OF_RECEIVER);
        }
    }

    /** Lets a lane wait for its turn, unless it does already or has it; false when there is no room for it. */
    synchronized boolean offer(DeliveryQueue lane, DeliveryReceiver receiver) {
        if (known.contains(lane)) {
            return true;
        }
        Queue queue = queues.computeIfAbsent(receiver, Queue::new);
        int waiting = queue.waiting.size();
        if (waiting >= WAITING_OF_RECEIVER || (waiting >= WAITING_ALWAYS && known.size() >= WAITING)) {
            queue.overflowed = true;
            return false;
        }
        known.add(lane);
        queue.waiting.add(lane);
        arrange(queue);
        return true;
    }

    /** The next lanes, each with a place that {@link #again} or {@link #end} gives back. */
    synchronized List<DeliverySlot> take(int most) {
        List<DeliverySlot> turns = new ArrayList<>();
        List<Queue> held = new ArrayList<>();
        while (turns.size() < most && running < PLACES && !ready.isEmpty()) {
            Queue queue = ready.removeFirst();
            OrganizationId organization = queue.receiver.organization();
            int places = runningOf.getOrDefault(organization, 0);
            if (places >= OF_ORGANIZATION) {
                held.add(queue);
                continue;
            }
            runningOf.put(organization, places + 1);
            running++;
            queue.running++;
            turns.add(new DeliverySlot(queue.waiting.removeFirst(), queue.receiver));
            overflowed |= queue.overflowed && queue.waiting.size() < WAITING_ALWAYS;
            arrange(queue);
        }
        ready.addAll(held);
        return turns;
    }

    /** The lane has more to do, after others had their turn. */
    synchronized void again(DeliverySlot turn) {
        Queue queue = leave(turn);
        queue.waiting.add(turn.lane);
        arrange(queue);
    }

    /** The lane has nothing more to do for now. */
    synchronized void end(DeliverySlot turn) {
        Queue queue = leave(turn);
        known.remove(turn.lane);
        arrange(queue);
        if (queue.running == 0 && queue.waiting.isEmpty() && !queue.overflowed) {
            queues.remove(turn.receiver);
        }
    }

    /** Notes whether the receiver takes long: it has fewer places until it is quicker. */
    synchronized void measured(DeliveryReceiver receiver, boolean slow) {
        Queue queue = queues.get(receiver);
        if (queue != null && queue.slow != slow) {
            queue.slow = slow;
            arrange(queue);
        }
    }

    /** Whether lanes that found no room can be looked for now; asked once, it is told once. */
    synchronized boolean hasRoomAgain() {
        boolean was = overflowed;
        if (was) {
            overflowed = false;
            queues.values().forEach(queue -> queue.overflowed = false);
        }
        return was;
    }

    synchronized int running() {
        return running;
    }

    synchronized int waiting() {
        return known.size() - running;
    }

    private Queue leave(DeliverySlot turn) {
        Queue queue = queues.computeIfAbsent(turn.receiver, Queue::new);
        queue.running--;
        running--;
        runningOf.computeIfPresent(turn.receiver.organization(), (_, places) -> places == 1 ? null : places - 1);
        return queue;
    }

    private void arrange(Queue queue) {
        if (queue.isReady()) {
            ready.add(queue);
        } else {
            ready.remove(queue);
        }
    }
}
