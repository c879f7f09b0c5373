package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.attempt.core.ModelUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The immutable states of the items of a task. Items start in their order. A change copies one chunk of states and the
 * list of chunks, so that its cost hardly depends on the number of items.
 */
public final class ItemStates {
    private static final int CHUNK = 128;

    private final List<@Nullable Object> values;
    private final TaskState[][] chunks;
    private final int begun;
    private final List<Integer> active;
    private final int completed;
    private final int failed;

    private ItemStates(
            List<@Nullable Object> values,
            TaskState[][] chunks,
            int begun,
            List<Integer> active,
            int completed,
            int failed) {
        this.values = values;
        this.chunks = chunks;
        this.begun = begun;
        this.active = active;
        this.completed = completed;
        this.failed = failed;
    }

    /**
     * Items that have not started.
     *
     * @param values the value of each item
     */
    public static ItemStates pending(List<?> values) {
        TaskState[][] chunks = new TaskState[(values.size() + CHUNK - 1) / CHUNK][];
        TaskState[] pending = new TaskState[CHUNK];
        Arrays.fill(pending, TaskState.PENDING);
        Arrays.fill(chunks, pending);
        return new ItemStates(Collections.unmodifiableList(new ArrayList<>(values)), chunks, 0, List.of(), 0, 0);
    }

    /** The number of items. */
    public int size() {
        return values.size();
    }

    /** The values of the items. */
    public List<@Nullable Object> values() {
        return values;
    }

    public TaskState get(int index) {
        return chunks[index / CHUNK][index % CHUNK];
    }

    public int completed() {
        return completed;
    }

    public int failed() {
        return failed;
    }

    /** The indexes of the items that have started and not ended, in the order of their start. */
    public List<Integer> active() {
        return active;
    }

    /** The first item that has not started; the number of items if all have. */
    public int begun() {
        return begun;
    }

    public boolean areDone() {
        return begun == size() && active.isEmpty();
    }

    /** Whether an executor is running an item. */
    public boolean isExecuting() {
        return active.stream().anyMatch(index -> get(index).isExecuting());
    }

    /** The index of the active item with this attempt; -1 if there is none. */
    public int withAttempt(int attempt) {
        return active.stream()
                .filter(index -> get(index).attempt() == attempt)
                .findFirst()
                .orElse(-1);
    }

    /** When the first item that waits for a time or an event stops waiting; null if none does. */
    public @Nullable Instant nextWake() {
        return active.stream()
                .map(index -> get(index).waitUntil())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The total usage of model calls; null if no model was called. */
    @Nullable
    ModelUsage usage() {
        ModelUsage sum = null;
        for (int index = 0; index < begun; index++) {
            ModelUsage used = get(index).usage();
            sum = used == null ? sum : sum == null ? used : sum.plus(used);
        }
        return sum;
    }

    /** The outputs of the task: for each name the values of all items, null for an item without one. */
    public Map<String, @Nullable Object> outputs(List<String> names) {
        Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
        for (String name : names) {
            List<@Nullable Object> all = new ArrayList<>(size());
            for (int index = 0; index < size(); index++) {
                all.add(get(index).outputs().get(name));
            }
            outputs.put(name, Collections.unmodifiableList(all));
        }
        return outputs;
    }

    public ItemStates with(int index, TaskState state) {
        TaskState before = get(index);
        TaskState[][] copy = chunks.clone();
        TaskState[] chunk = copy[index / CHUNK].clone();
        chunk[index % CHUNK] = state;
        copy[index / CHUNK] = chunk;
        List<Integer> nextActive = active;
        boolean wasActive =
                before.status() != TaskStatus.PENDING && !before.status().isTerminal();
        boolean isActive =
                state.status() != TaskStatus.PENDING && !state.status().isTerminal();
        if (wasActive != isActive) {
            nextActive = new ArrayList<>(active);
            if (isActive) {
                nextActive.add(index);
            } else {
                nextActive.removeIf(one -> one == index);
            }
            nextActive = List.copyOf(nextActive);
        }
        return new ItemStates(
                values,
                copy,
                state.status() == TaskStatus.PENDING ? begun : Math.max(begun, index + 1),
                nextActive,
                completed + count(state, TaskStatus.COMPLETED) - count(before, TaskStatus.COMPLETED),
                failed + count(state, TaskStatus.FAILED) - count(before, TaskStatus.FAILED));
    }

    private static int count(TaskState state, TaskStatus status) {
        return state.status() == status ? 1 : 0;
    }

    /** The change since earlier states of the same task; null for no earlier states. */
    ItemsDelta changedSince(@Nullable ItemStates before) {
        Map<Integer, TaskState> changed = new LinkedHashMap<>();
        for (int start = 0; start < size(); start += CHUNK) {
            TaskState[] chunk = chunks[start / CHUNK];
            TaskState @Nullable [] oldChunk = before == null ? null : before.chunks[start / CHUNK];
            if (Arrays.equals(chunk, oldChunk)) {
                continue;
            }
            for (int index = start; index < Math.min(size(), start + CHUNK); index++) {
                TaskState then = oldChunk == null ? TaskState.PENDING : oldChunk[index % CHUNK];
                if (!get(index).equals(then)) {
                    changed.put(index, get(index));
                }
            }
        }
        return new ItemsDelta(before == null ? values : null, changed);
    }

    /** The states after a change. */
    static ItemStates apply(@Nullable ItemStates before, ItemsDelta delta) {
        ItemStates next = before;
        if (next == null) {
            next = pending(Objects.requireNonNullElse(delta.values(), List.of()));
        }
        for (Map.Entry<Integer, TaskState> change : new TreeMap<>(delta.states()).entrySet()) {
            next = next.with(change.getKey(), change.getValue());
        }
        return next;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ItemStates that
                && values.equals(that.values)
                && active.equals(that.active)
                && Arrays.deepEquals(chunks, that.chunks);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(chunks);
    }

    @Override
    public String toString() {
        return size() + " items, " + completed + " completed, " + failed + " failed, active " + active;
    }
}
