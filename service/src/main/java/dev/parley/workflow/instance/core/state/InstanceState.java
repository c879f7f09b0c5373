package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.HumanValues;
import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import dev.parley.workflow.instance.core.plan.TriggerData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The complete, immutable state of one workflow instance. Only {@link Transition} creates the next one; all times are
 * in whole milliseconds.
 *
 * @param answers values of {@code human_input} parameters that people gave after the start, by name
 * @param pausedByRequest whether a client paused the instance; nothing starts until it is resumed
 * @param output values by task output name, set when COMPLETED (see {@code InstanceOutput})
 * @param version the number of changes applied; 0 for an instance that has not started
 */
public record InstanceState(
        ExecutionPlan plan,
        InstanceStatus status,
        TriggerData trigger,
        TaskStates tasks,
        Map<String, @Nullable Object> answers,
        boolean pausedByRequest,
        @Nullable Map<String, @Nullable Object> output,
        @Nullable InstanceError error,
        int version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant finishedAt) {
    public InstanceState {
        answers = ImmutableMaps.copy(answers);
        output = output == null ? null : ImmutableMaps.copy(output);
    }

    /** A new instance. Its first event is {@link InstanceEvent.InstanceStarted}. */
    public static InstanceState create(ExecutionPlan plan, TriggerData trigger, Instant now) {
        Instant at = now.truncatedTo(ChronoUnit.MILLIS);
        return new InstanceState(
                plan,
                InstanceStatus.RUNNING,
                trigger,
                TaskStates.pending(plan),
                Map.of(),
                false,
                null,
                null,
                0,
                at,
                at,
                null);
    }

    /**
     * The state of a task; PENDING if the task has not been touched.
     *
     * @throws IllegalArgumentException if the plan has no such task
     */
    public TaskState task(TaskId id) {
        return tasks.get(plan.number(id));
    }

    /**
     * Whether a node must own the instance: a task is executing or waits for its retry. An instance whose tasks wait
     * for a time, an event or a person needs none.
     */
    public boolean isUnderWay() {
        return (status == InstanceStatus.RUNNING && tasks.counts().running() > 0)
                || (status == InstanceStatus.PAUSED && isExecuting());
    }

    /** When the first task stops waiting for a time or an event; null if none waits for one. */
    public @Nullable Instant nextWake() {
        return status.isTerminal() ? null : tasks.nextWake();
    }

    private boolean isExecuting() {
        for (int number = 0; number < plan.size(); number++) {
            if (tasks.isExecuting(number)) {
                return true;
            }
        }
        return false;
    }

    /** The tasks that are RUNNING or WAITING, in document order. */
    public List<TaskId> currentTasks() {
        List<TaskId> current = new ArrayList<>();
        for (int number = 0; number < plan.size(); number++) {
            TaskStatus status = tasks.get(number).status();
            if (status == TaskStatus.RUNNING || status == TaskStatus.WAITING) {
                current.add(plan.task(number).id());
            }
        }
        return current;
    }

    /**
     * The inputs that the instance asks for in its conversation, in document order. While this is not empty, the next
     * message is the answer ({@link InstanceEvent.UserReplied}).
     */
    public List<InputParameter> questions() {
        if (trigger.conversationId() == null || tasks.counts().waiting() == 0) {
            return List.of();
        }
        var values = new HumanValues(plan, trigger, answers);
        Map<String, InputParameter> asked = new LinkedHashMap<>();
        for (int task = 0; task < plan.size(); task++) {
            if (tasks.get(task).waitingFor() == WaitingReason.USER_INPUT) {
                values.missing(task).forEach(input -> asked.putIfAbsent(input.name(), input));
            }
        }
        return List.copyOf(asked.values());
    }
}
