package dev.parley.workflow.instance.core;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.TaskId;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to an instance. Reports of executors and timers may be stale, and are then ignored; actions of
 * people and requests of clients that do not fit are refused with a sentence ({@link Rejection}).
 *
 * <p>{@code by} is written as in {@code created_by}: {@code user:<id>}, {@code api_key:<id>} or {@code system}.
 */
public sealed interface InstanceEvent {

    /** What the engine does with the instance as a whole; ignored where it does not fit. */
    sealed interface LifecycleEvent extends InstanceEvent {}

    /** The first event of every instance. */
    record InstanceStarted() implements LifecycleEvent {}

    /** The instance's time is up (7 days by default). */
    record TimeLimitReached() implements LifecycleEvent {}

    /** Another node took the instance over: what was in flight starts again with the same attempt and key. */
    record Recovered() implements LifecycleEvent {}

    /** What an executor or a timer reports of one attempt; ignored when it is not the present one. */
    sealed interface TaskReport extends InstanceEvent {
        TaskId task();

        int attempt();
    }

    /**
     * An executor is done.
     *
     * @param outputs values by output name
     * @param usage null where no model was called
     */
    record TaskSucceeded(
            TaskId task,
            int attempt,
            Map<String, @Nullable Object> outputs,
            @Nullable ModelUsage usage) implements TaskReport {
        public TaskSucceeded {
            outputs = ImmutableMaps.copy(outputs);
        }

        public TaskSucceeded(TaskId task, int attempt, Map<String, @Nullable Object> outputs) {
            this(task, attempt, outputs, null);
        }
    }

    /**
     * An executor gave up.
     *
     * @param retryAfter how long the other side asked to be left alone ({@code Retry-After}); null when it did not
     * @param usage null where no model was called
     */
    record TaskFailed(
            TaskId task,
            int attempt,
            TaskError error,
            @Nullable Duration retryAfter,
            @Nullable ModelUsage usage) implements TaskReport {
        public TaskFailed(TaskId task, int attempt, TaskError error) {
            this(task, attempt, error, null, null);
        }
    }

    /**
     * The inputs of a Human task that had to be read from a store are there, so that its ticket can show them.
     *
     * @param inputs all values by input name
     */
    record InputsFetched(TaskId task, int attempt, Map<String, @Nullable Object> inputs) implements TaskReport {
        public InputsFetched {
            inputs = ImmutableMaps.copy(inputs);
        }
    }

    /**
     * The timer of {@link Effect.ScheduleRetry} fired.
     *
     * @param attempt the attempt that failed, as the effect had it
     */
    record RetryDue(TaskId task, int attempt) implements TaskReport {}

    /** What a person does; refused where it does not fit. */
    sealed interface PersonAction extends InstanceEvent {}

    /**
     * The user answered in the conversation.
     *
     * @param values by input name; empty when the reply is plain text
     * @param text the reply as it was written: when there are no values, it is the value of the first input asked for
     */
    record UserReplied(
            Map<String, @Nullable Object> values, @Nullable String text, String messageId) implements PersonAction {
        public UserReplied {
            values = ImmutableMaps.copy(values);
        }
    }

    /** What a person does with a ticket; {@code attempt} is the one that {@link Effect.OpenTicket} had. */
    sealed interface TicketActionEvent extends PersonAction {
        TaskId task();

        int attempt();

        String by();
    }

    /**
     * The form was filled in: a Human task's outputs, the outputs of a task that failed, or the inputs asked for.
     *
     * @param answer values by the names of the form
     */
    record TicketCompleted(TaskId task, int attempt, Map<String, @Nullable Object> answer, String by)
            implements TicketActionEvent {
        public TicketCompleted {
            answer = ImmutableMaps.copy(answer);
        }
    }

    /** The person refused; on an Exception ticket this raises the exception. */
    record TicketRejected(TaskId task, int attempt, String reason, String by) implements TicketActionEvent {}

    /** The task that failed shall run again. */
    record ExceptionRetry(TaskId task, int attempt, String by) implements TicketActionEvent {}

    /** A person supplies the outputs of the task that failed. */
    record ExceptionSupplied(TaskId task, int attempt, Map<String, @Nullable Object> outputs, String by)
            implements TicketActionEvent {
        public ExceptionSupplied {
            outputs = ImmutableMaps.copy(outputs);
        }
    }

    /** The instance shall fail with the task's exception. */
    record ExceptionRaised(TaskId task, int attempt, String reason, String by) implements TicketActionEvent {}

    /** What a client or an operator asks of the instance as a whole; refused where it does not fit. */
    sealed interface ClientRequest extends InstanceEvent {}

    /** Running tasks finish, nothing new starts. */
    record PauseRequested(String by) implements ClientRequest {}

    /** Ends a pause by request. */
    record ResumeRequested(String by) implements ClientRequest {}

    /** All tasks that wait on an Exception ticket run again. */
    record RetryRequested(String by) implements ClientRequest {}

    /** Stops the instance; results of tasks in flight are dropped. */
    record CancelRequested(String by) implements ClientRequest {}

    /** A person, a key or the service ends the instance at once. */
    record Terminated(String reason, String by) implements ClientRequest {}
}
