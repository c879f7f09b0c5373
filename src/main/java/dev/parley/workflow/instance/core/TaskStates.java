package dev.parley.workflow.instance.core;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.TaskId;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

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

    private TaskStates(ExecutionPlan plan, TaskState[] states, int[] unmet, Counts counts) {
        this.plan = plan;
        this.states = states;
        this.unmet = unmet;
        this.counts = counts;
    }

    /** All tasks PENDING. */
    static TaskStates pending(ExecutionPlan plan) {
        TaskState[] states = new TaskState[plan.size()];
        int[] unmet = new int[plan.size()];
        for (int task = 0; task < states.length; task++) {
            states[task] = TaskState.PENDING;
            unmet[task] = plan.predecessorCount(task);
        }
        return new TaskStates(plan, states, unmet, new Counts(0, 0, 0, 0));
    }

    public TaskState get(int number) {
        return states[number];
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

    /** The total usage of model calls of all tasks. */
    public ModelUsage usage() {
        ModelUsage sum = new ModelUsage(0, 0, 0);
        for (TaskState state : states) {
            ModelUsage used = state.usage();
            sum = used == null ? sum : sum.plus(used);
        }
        return sum;
    }

    /** The number of direct predecessors that have not COMPLETED. */
    int unmet(int task) {
        return unmet[task];
    }

    Counts counts() {
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

    TaskStates with(Map<TaskId, TaskState> changed) {
        if (changed.isEmpty()) {
            return this;
        }
        Editor editor = new Editor(this);
        changed.forEach((task, state) -> editor.set(plan.number(task), state));
        return editor.done();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskStates that && plan == that.plan && Arrays.equals(states, that.states);
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

    /** The number of tasks in each status that decides the status of the instance. */
    record Counts(int running, int waiting, int completed, int failed) {
        Counts plus(TaskStatus status, int change) {
            return switch (status) {
                case RUNNING -> new Counts(running + change, waiting, completed, failed);
                case WAITING -> new Counts(running, waiting + change, completed, failed);
                case COMPLETED -> new Counts(running, waiting, completed + change, failed);
                case FAILED -> new Counts(running, waiting, completed, failed + change);
                case PENDING, SKIPPED, CANCELLED -> this;
            };
        }
    }

    /** Changes states step by step; copies the arrays at the first change. */
    static final class Editor {
        private final TaskStates before;
        private final BitSet touched = new BitSet();
        private final Queue<Integer> ready = new ArrayDeque<>();
        private TaskState[] states;
        private int[] unmet;
        private Counts counts;
        private boolean released;

        Editor(TaskStates before) {
            this.before = before;
            this.states = before.states;
            this.unmet = before.unmet;
            this.counts = before.counts;
        }

        TaskState get(int task) {
            return states[task];
        }

        int unmet(int task) {
            return unmet[task];
        }

        Counts counts() {
            return counts;
        }

        void set(int task, TaskState next) {
            if (touched.isEmpty()) {
                states = states.clone();
            }
            TaskStatus old = states[task].status();
            states[task] = next;
            touched.set(task);
            if (old != next.status()) {
                counts = counts.plus(old, -1).plus(next.status(), 1);
                if (next.status() == TaskStatus.COMPLETED) {
                    release(task);
                }
            }
        }

        /** Tasks that became ready and have not been polled yet. */
        Queue<Integer> ready() {
            return ready;
        }

        Map<TaskId, TaskState> changed() {
            Map<TaskId, TaskState> changed = new LinkedHashMap<>();
            touched.stream()
                    .filter(task -> !states[task].equals(before.states[task]))
                    .forEach(task -> changed.put(before.plan.task(task).id(), states[task]));
            return changed;
        }

        TaskStates done() {
            return touched.isEmpty() ? before : new TaskStates(before.plan, states, unmet, counts);
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
