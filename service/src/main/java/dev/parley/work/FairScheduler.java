package dev.parley.work;

import dev.parley.id.OrganizationId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides which waiting item runs next: groups take turns within {@link WorkLimits}; a group's items are FIFO. */
final class FairScheduler<T> {
    /** Waiting items that a group is always allowed. */
    private static final int MIN_WAITING_PER_GROUP = 50;

    private final WorkLimits limits;
    private final Map<WorkGroup, GroupState<T>> states = new HashMap<>();
    private final Map<OrganizationId, Integer> runningByOrganization = new HashMap<>();

    /** Groups with a waiting item and room for it, in round-robin order. */
    private final LinkedHashSet<GroupState<T>> ready = new LinkedHashSet<>();

    private int running;
    private int waiting;
    private boolean hasRoomAfterOverflow;

    private static final class GroupState<T> {
        final WorkGroup group;
        final Deque<T> waiting = new ArrayDeque<>();
        int running;
        boolean slow;
        boolean overflowed;

        GroupState(WorkGroup group) {
            this.group = group;
        }
    }

    FairScheduler(WorkLimits limits) {
        this.limits = limits;
    }

    /** Adds an item; false if too many wait. */
    synchronized boolean offer(WorkGroup group, T item) {
        GroupState<T> state = states.computeIfAbsent(group, GroupState::new);
        int waitingInGroup = state.waiting.size();
        if (waitingInGroup >= limits.keysPerGroup()
                || (waitingInGroup >= MIN_WAITING_PER_GROUP && waiting + running >= limits.keys())) {
            state.overflowed = true;
            return false;
        }
        add(state, item);
        return true;
    }

    /** Whether {@link #next} finds an item. */
    synchronized boolean hasNext() {
        return running < limits.running() && ready.stream().anyMatch(this::hasRoomInOrganization);
    }

    /** The next item that may run; {@link #release} or {@link #requeue} ends its run. */
    synchronized Optional<T> next() {
        if (running >= limits.running()) {
            return Optional.empty();
        }
        List<GroupState<T>> blocked = new ArrayList<>();
        Optional<T> found = Optional.empty();
        while (found.isEmpty() && !ready.isEmpty()) {
            GroupState<T> state = ready.removeFirst();
            if (!hasRoomInOrganization(state)) {
                blocked.add(state);
                continue;
            }
            runningByOrganization.merge(state.group.organization(), 1, Integer::sum);
            running++;
            state.running++;
            found = Optional.of(state.waiting.removeFirst());
            waiting--;
            hasRoomAfterOverflow |= state.overflowed && state.waiting.size() < MIN_WAITING_PER_GROUP;
            updateReady(state);
        }
        ready.addAll(blocked);
        return found;
    }

    /** The item's run has ended, and it runs again after the others that wait. */
    synchronized void requeue(WorkGroup group, T item) {
        add(endRun(group), item);
    }

    /** The item's run has ended. */
    synchronized void release(WorkGroup group) {
        GroupState<T> state = endRun(group);
        updateReady(state);
        if (state.running == 0 && state.waiting.isEmpty() && !state.overflowed) {
            states.remove(group);
        }
    }

    /** A slow group may run fewer items at the same time until it is fast again. */
    synchronized void setSlow(WorkGroup group, boolean slow) {
        GroupState<T> state = states.get(group);
        if (state != null && state.slow != slow) {
            state.slow = slow;
            updateReady(state);
        }
    }

    /** Whether there is room again after items were refused. Resets when it returns true. */
    synchronized boolean pollRoomAfterOverflow() {
        boolean result = hasRoomAfterOverflow;
        if (result) {
            hasRoomAfterOverflow = false;
            states.values().forEach(state -> state.overflowed = false);
        }
        return result;
    }

    synchronized int running() {
        return running;
    }

    synchronized int waiting() {
        return waiting;
    }

    private boolean hasRoomInOrganization(GroupState<T> state) {
        return runningByOrganization.getOrDefault(state.group.organization(), 0) < limits.runningPerOrganization();
    }

    private void add(GroupState<T> state, T item) {
        state.waiting.add(item);
        waiting++;
        updateReady(state);
    }

    private GroupState<T> endRun(WorkGroup group) {
        GroupState<T> state = states.computeIfAbsent(group, GroupState::new);
        state.running--;
        running--;
        runningByOrganization.computeIfPresent(group.organization(), (_, count) -> count == 1 ? null : count - 1);
        return state;
    }

    private void updateReady(GroupState<T> state) {
        int limit = state.slow ? limits.runningPerSlowGroup() : limits.runningPerGroup();
        if (!state.waiting.isEmpty() && state.running < limit) {
            ready.add(state);
        } else {
            ready.remove(state);
        }
    }
}
