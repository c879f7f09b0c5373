package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.TaskId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one workflow instance, immutable. Only {@link Transition} makes the next one; all times are in
 * whole milliseconds.
 *
 * @param answers values of {@code human_input} parameters that people gave after the start, by name
 * @param pausedByRequest whether a client paused it: then nothing starts until it is resumed
 * @param output values by task output name, set when COMPLETED (see {@link InstanceOutput})
 * @param version the number of changes applied; 0 for an instance that was made and not yet started
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

    /** A new instance, to which {@link InstanceEvent.Started} comes first. */
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
     * The state of a task; PENDING when it was not touched.
     *
     * @throws IllegalArgumentException when the plan has no such task
     */
    public TaskState task(TaskId id) {
        return tasks.get(plan.number(id));
    }

    /** Whether a node has to be there for it: it is RUNNING, or was paused while tasks were executed, which go on. */
    public boolean isUnderWay() {
        return status == InstanceStatus.RUNNING || (status == InstanceStatus.PAUSED && isExecuting());
    }

    private boolean isExecuting() {
        for (int number = 0; number < plan.size(); number++) {
            if (tasks.get(number).isExecuting()) {
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
     * The inputs that the instance asks for in its conversation, in document order; empty when it asks for none. A
     * message that comes while this is not empty is the answer ({@link InstanceEvent.UserReplied}).
     */
    public List<InputParameter> questions() {
        if (trigger.conversationId() == null || tasks.counts().waiting() == 0) {
            return List.of();
        }
        return InputResolver.asked(this);
    }
}
