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
    static final int MAX_RUNNING = 600;
    private static final int MAX_RUNNING_PER_ORGANIZATION = 200;
    private static final int MAX_RUNNING_PER_RECEIVER = 32;
    private static final int MAX_RUNNING_PER_SLOW_RECEIVER = 8;

    /** The maximum number of queues in memory, per receiver and in total; a receiver is always allowed a few. */
    static final int MAX_WAITING_PER_RECEIVER = 2_000;

    private static final int MAX_WAITING = 20_000;
    private static final int MIN_WAITING_PER_RECEIVER = 50;

    private final Map<DeliveryReceiver, ReceiverState> states = new HashMap<>();
    private final Map<OrganizationId, Integer> runningByOrganization = new HashMap<>();
    private final Set<DeliveryQueue> known = new HashSet<>();

    /** Receivers with a waiting queue and a free slot, in round-robin order. */
    private final LinkedHashSet<ReceiverState> ready = new LinkedHashSet<>();

    private int running;
    private boolean overflowed;

    /** A queue with its slot. */
    record DeliverySlot(DeliveryQueue queue, DeliveryReceiver receiver) {}

    private static final class ReceiverState {
        final DeliveryReceiver receiver;
        final Deque<DeliveryQueue> waiting = new ArrayDeque<>();
        int running;
        boolean slow;
        boolean overflowed;

        ReceiverState(DeliveryReceiver receiver) {
            this.receiver = receiver;
        }

        boolean isReady() {
            return !waiting.isEmpty() && running < (slow ? MAX_RUNNING_PER_SLOW_RECEIVER : MAX_RUNNING_PER_RECEIVER);
        }
    }

    /** Adds a queue unless it is waiting or running; false if the limit is reached. */
    synchronized boolean offer(DeliveryQueue queue, DeliveryReceiver receiver) {
        if (known.contains(queue)) {
            return true;
        }
        ReceiverState state = states.computeIfAbsent(receiver, ReceiverState::new);
        int waiting = state.waiting.size();
        if (waiting >= MAX_WAITING_PER_RECEIVER
                || (waiting >= MIN_WAITING_PER_RECEIVER && known.size() >= MAX_WAITING)) {
            state.overflowed = true;
            return false;
        }
        known.add(queue);
        state.waiting.add(queue);
        updateReady(state);
        return true;
    }

    /** The next queues, each with a slot that {@link #requeue} or {@link #release} releases. */
    synchronized List<DeliverySlot> take(int max) {
        List<DeliverySlot> slots = new ArrayList<>();
        List<ReceiverState> blocked = new ArrayList<>();
        while (slots.size() < max && running < MAX_RUNNING && !ready.isEmpty()) {
            ReceiverState state = ready.removeFirst();
            OrganizationId organization = state.receiver.organization();
            int organizationRunning = runningByOrganization.getOrDefault(organization, 0);
            if (organizationRunning >= MAX_RUNNING_PER_ORGANIZATION) {
                blocked.add(state);
                continue;
            }
            runningByOrganization.put(organization, organizationRunning + 1);
            running++;
            state.running++;
            slots.add(new DeliverySlot(state.waiting.removeFirst(), state.receiver));
            overflowed |= state.overflowed && state.waiting.size() < MIN_WAITING_PER_RECEIVER;
            updateReady(state);
        }
        ready.addAll(blocked);
        return slots;
    }

    /** The queue has more to send after other queues. */
    synchronized void requeue(DeliverySlot slot) {
        ReceiverState state = removeRunning(slot);
        state.waiting.add(slot.queue);
        updateReady(state);
    }

    /** The queue has nothing more to send for now. */
    synchronized void release(DeliverySlot slot) {
        ReceiverState state = removeRunning(slot);
        known.remove(slot.queue);
        updateReady(state);
        if (state.running == 0 && state.waiting.isEmpty() && !state.overflowed) {
            states.remove(slot.receiver);
        }
    }

    /** Records whether the receiver is slow: it has fewer slots until it is faster. */
    synchronized void recordSpeed(DeliveryReceiver receiver, boolean slow) {
        ReceiverState state = states.get(receiver);
        if (state != null && state.slow != slow) {
            state.slow = slow;
            updateReady(state);
        }
    }

    /** Whether queues rejected for lack of room can be looked for again. Resets when it returns true. */
    synchronized boolean pollOverflow() {
        boolean result = overflowed;
        if (result) {
            overflowed = false;
            states.values().forEach(state -> state.overflowed = false);
        }
        return result;
    }

    synchronized int running() {
        return running;
    }

    synchronized int waiting() {
        return known.size() - running;
    }

    private ReceiverState removeRunning(DeliverySlot slot) {
        ReceiverState state = states.computeIfAbsent(slot.receiver, ReceiverState::new);
        state.running--;
        running--;
        runningByOrganization.computeIfPresent(
                slot.receiver.organization(),
                (_, organizationRunning) -> organizationRunning == 1 ? null : organizationRunning - 1);
        return state;
    }

    private void updateReady(ReceiverState state) {
        if (state.isReady()) {
            ready.add(state);
        } else {
            ready.remove(state);
        }
    }
}
