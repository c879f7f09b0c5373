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
 * Schedules the queues of this node fairly by receiver, round robin. Each receiver has a limited number of slots, fewer
 * if it is slow, and so has each organization regardless of its number of receivers. A slow or unavailable receiver
 * occupies only its own slots. Thread-safe.
 */
final class FairDeliveryScheduler {
    static final int PLACES = 600;
    private static final int OF_ORGANIZATION = 200;
    private static final int OF_RECEIVER = 32;
    private static final int OF_SLOW_RECEIVER = 8;

    /** The maximum number of queues in memory, per receiver and in total; a receiver is always allowed a few. */
    static final int WAITING_OF_RECEIVER = 2_000;

    private static final int WAITING = 20_000;
    private static final int WAITING_ALWAYS = 50;

    private final Map<DeliveryReceiver, Queue> queues = new HashMap<>();
    private final Map<OrganizationId, Integer> runningOf = new HashMap<>();
    private final Set<DeliveryQueue> known = new HashSet<>();

    /** Receivers with a waiting queue and a free slot, in round-robin order. */
    private final LinkedHashSet<Queue> ready = new LinkedHashSet<>();

    private int running;
    private boolean overflowed;

    /** A queue with its slot. */
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

    /** Adds a queue unless it is waiting or running; false if the limit is reached. */
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

    /** The next queues, each with a slot that {@link #again} or {@link #end} releases. */
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

    /** The queue has more to send after other queues. */
    synchronized void again(DeliverySlot turn) {
        Queue queue = leave(turn);
        queue.waiting.add(turn.lane);
        arrange(queue);
    }

    /** The queue has nothing more to send for now. */
    synchronized void end(DeliverySlot turn) {
        Queue queue = leave(turn);
        known.remove(turn.lane);
        arrange(queue);
        if (queue.running == 0 && queue.waiting.isEmpty() && !queue.overflowed) {
            queues.remove(turn.receiver);
        }
    }

    /** Records whether the receiver is slow: it has fewer slots until it is faster. */
    synchronized void measured(DeliveryReceiver receiver, boolean slow) {
        Queue queue = queues.get(receiver);
        if (queue != null && queue.slow != slow) {
            queue.slow = slow;
            arrange(queue);
        }
    }

    /** Whether queues rejected for lack of room can be looked for again. Resets when it returns true. */
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
