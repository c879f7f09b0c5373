package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The immutable states of all tasks of an instance. Also keeps counts that would otherwise take a scan: tasks per
 * decisive status, and the number of unfinished predecessors of each task. A change copies two arrays of one word per
 * task, which for 1,000 tasks costs less than the JSON of one result.
 */
public final class TaskStates {
    private final ExecutionPlan plan;
    private final TaskState[] states;
    private final int[] unmet;
    private final Counts counts;
    private final Map<Integer, ItemStates> items;

    private TaskStates(
            ExecutionPlan plan, TaskState[] states, int[] unmet, Counts counts, Map<Integer, ItemStates> items) {
        this.plan = plan;
        this.states = states;
        this.unmet = unmet;
        this.counts = counts;
        this.items = items;
    }

    /** All tasks PENDING. */
    public static TaskStates pending(ExecutionPlan plan) {
        TaskState[] states = new TaskState[plan.size()];
        int[] unmet = new int[plan.size()];
        for (int task = 0; task < states.length; task++) {
            states[task] = TaskState.PENDING;
            unmet[task] = plan.predecessorCount(task);
        }
        return new TaskStates(plan, states, unmet, Counts.NONE, Map.of());
    }

    public TaskState get(int number) {
        return states[number];
    }

    /** The items of a task that runs for each of them; null before it has started, and for other tasks. */
    public @Nullable ItemStates items(int number) {
        return items.get(number);
    }

    /** The state of the task or item that has this attempt; null if it has ended or there is none. */
    public @Nullable TaskState withAttempt(int number, int attempt) {
        ItemStates ofTask = items.get(number);
        if (ofTask == null) {
            return states[number].attempt() == attempt ? states[number] : null;
        }
        int index = ofTask.withAttempt(attempt);
        return index < 0 ? null : ofTask.get(index);
    }

    /** Whether an executor is running the task or one of its items. */
    boolean isExecuting(int number) {
        ItemStates ofTask = items.get(number);
        return ofTask == null ? states[number].isExecuting() : ofTask.isExecuting();
    }

    /** When the first task or item that waits for a time or an event stops waiting; null if none does. */
    @Nullable
    Instant nextWake() {
        if (counts.suspended() == 0) {
            return null;
        }
        Instant first = null;
        for (int task = 0; task < states.length; task++) {
            ItemStates ofTask = items.get(task);
            Instant next = ofTask == null ? states[task].waitUntil() : ofTask.nextWake();
            if (next != null && (first == null || next.isBefore(first))) {
                first = next;
            }
        }
        return first;
    }

    /** The changes of items since earlier states, by task. */
    Map<TaskId, ItemsDelta> changedItemsSince(TaskStates before) {
        if (items.isEmpty()) {
            return Map.of();
        }
        Map<TaskId, ItemsDelta> changed = new LinkedHashMap<>();
        items.forEach((task, now) -> {
            ItemStates then = before.items.get(task);
            if (then == null || !now.equals(then)) {
                changed.put(plan.task(task).id(), now.changedSince(then));
            }
        });
        return changed;
    }

    /** The tasks that have left PENDING, by id, in document order. */
    public Map<TaskId, TaskState> touched() {
        Map<TaskId, TaskState> touched = new LinkedHashMap<>();
        for (int task = 0; task < states.length; task++) {
            if (!states[task].equals(TaskState.PENDING)) {
                touched.put(plan.task(task).id(), states[task]);
            }
        }
        return touched;
    }

    /** The number of items of all tasks that have started. */
    public int begunItems() {
        return items.isEmpty()
                ? 0
                : items.values().stream().mapToInt(ItemStates::begun).sum();
    }

    /** The states of all items that have left PENDING, with the values of all items. */
    public Map<TaskId, ItemsDelta> touchedItems() {
        Map<TaskId, ItemsDelta> touched = new LinkedHashMap<>();
        items.forEach((task, states) -> touched.put(plan.task(task).id(), states.changedSince(null)));
        return touched;
    }

    /** The total usage of model calls of all tasks. */
    public ModelUsage usage() {
        ModelUsage sum = ModelUsage.NONE;
        for (TaskState state : states) {
            ModelUsage used = state.usage();
            sum = used == null ? sum : sum.plus(used);
        }
        for (ItemStates states : items.values()) {
            ModelUsage used = states.usage();
            sum = used == null ? sum : sum.plus(used);
        }
        return sum;
    }

    /** The number of direct predecessors that have neither COMPLETED nor been SKIPPED. */
    public int unmet(int task) {
        return unmet[task];
    }

    public Counts counts() {
        return counts;
    }

    /** The tasks whose states differ, by id. Tasks that share a state object cost one reference comparison. */
    Map<TaskId, TaskState> changedSince(TaskStates before) {
        Map<TaskId, TaskState> changed = new LinkedHashMap<>();
        for (int task = 0; task < states.length; task++) {
            if (!states[task].equals(before.states[task])) {
                changed.put(plan.task(task).id(), states[task]);
            }
        }
        return changed;
    }

    public TaskStates with(Map<TaskId, TaskState> changed, Map<TaskId, ItemsDelta> changedItems) {
        if (changed.isEmpty() && changedItems.isEmpty()) {
            return this;
        }
        Editor editor = new Editor(this);
        changed.forEach((task, state) -> editor.set(plan.number(task), state));
        changedItems.forEach((task, delta) -> {
            int number = plan.number(task);
            editor.setItems(number, ItemStates.apply(items.get(number), delta));
        });
        return editor.done();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskStates that
                && plan == that.plan
                && Arrays.equals(states, that.states)
                && items.equals(that.items);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(states);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (Task task : plan.tasks()) {
            text.append(task.id())
                    .append('=')
                    .append(states[plan.number(task.id())].status())
                    .append(' ');
        }
        return text.append('}').toString();
    }

    /**
     * The number of tasks in each status that decides the status of the instance.
     *
     * @param suspended tasks that wait for a time or an event
     * @param waiting tasks in WAITING
     */
    public record Counts(int running, int suspended, int waiting, int completed, int skipped, int failed) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

        Counts plus(TaskState state, int change) {
            WaitingReason reason = state.waitingFor();
            return switch (state.status()) {
                case RUNNING -> new Counts(running + change, suspended, waiting, completed, skipped, failed);
                case WAITING ->
                    reason == null || reason.needsPerson()
                            ? new Counts(running, suspended, waiting + change, completed, skipped, failed)
                            : new Counts(running, suspended + change, waiting, completed, skipped, failed);
                case COMPLETED -> new Counts(running, suspended, waiting, completed + change, skipped, failed);
                case SKIPPED -> new Counts(running, suspended, waiting, completed, skipped + change, failed);
                case FAILED -> new Counts(running, suspended, waiting, completed, skipped, failed + change);
                case PENDING, CANCELLED -> this;
            };
        }
    }

    /** Changes states step by step; copies the arrays at the first change. */
    public static final class Editor {
        private final TaskStates before;
        private final BitSet touched = new BitSet();
        private final Queue<Integer> ready = new ArrayDeque<>();
        private TaskState[] states;
        private int[] unmet;
        private Counts counts;
        private Map<Integer, ItemStates> items;
        private boolean itemsChanged;
        private boolean released;

        public Editor(TaskStates before) {
            this.before = before;
            this.states = before.states;
            this.unmet = before.unmet;
            this.counts = before.counts;
            this.items = before.items;
        }

        public TaskState get(int task) {
            return states[task];
        }

        public int unmet(int task) {
            return unmet[task];
        }

        public Counts counts() {
            return counts;
        }

        public @Nullable ItemStates items(int task) {
            return items.get(task);
        }

        public boolean hasChangedItems() {
            return itemsChanged;
        }

        public void setItems(int task, ItemStates next) {
            if (!itemsChanged) {
                items = new TreeMap<>(before.items);
                itemsChanged = true;
            }
            items.put(task, next);
        }

        public void set(int task, TaskState next) {
            if (touched.isEmpty()) {
                states = states.clone();
            }
            TaskState old = states[task];
            states[task] = next;
            touched.set(task);
            if (old.status() != next.status() || old.waitingFor() != next.waitingFor()) {
                counts = counts.plus(old, -1).plus(next, 1);
            }
            if (old.status() != next.status()) {
                if (next.status() == TaskStatus.COMPLETED || next.status() == TaskStatus.SKIPPED) {
                    release(task);
                }
            }
        }

        /** Tasks that became ready and have not been polled yet. */
        public Queue<Integer> ready() {
            return ready;
        }

        public Map<TaskId, TaskState> changed() {
            Map<TaskId, TaskState> changed = new LinkedHashMap<>();
            touched.stream()
                    .filter(task -> !states[task].equals(before.states[task]))
                    .forEach(task -> changed.put(before.plan.task(task).id(), states[task]));
            return changed;
        }

        public TaskStates done() {
            return touched.isEmpty() && !itemsChanged
                    ? before
                    : new TaskStates(before.plan, states, unmet, counts, items);
        }

        private void release(int task) {
            if (!released) {
                unmet = unmet.clone();
                released = true;
            }
            for (int place = 0; place < before.plan.successorCount(task); place++) {
                int successor = before.plan.successor(task, place);
                if (--unmet[successor] == 0) {
                    ready.add(successor);
                }
            }
        }
    }
}
