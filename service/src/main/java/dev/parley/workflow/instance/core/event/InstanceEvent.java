package dev.parley.workflow.instance.core.event;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.ReusedResult;
import dev.parley.workflow.instance.core.state.ReusedResults;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event of an instance. Stale reports of executors and timers are ignored; actions of people and requests of clients
 * that do not fit the state get a {@link Rejection}.
 *
 * <p>{@code by} has the format of {@code created_by}: {@code user:<id>}, {@code api_key:<id>} or {@code system}.
 */
public sealed interface InstanceEvent {

    /** An event raised by the engine about the whole instance; ignored where it does not fit. */
    sealed interface LifecycleEvent extends InstanceEvent {}

    /**
     * The first event of every instance.
     *
     * @param reused results of tasks that do not run again, because a rerun takes them over ({@link ReusedResults})
     */
    record InstanceStarted(Map<TaskId, ReusedResult> reused) implements LifecycleEvent {
        public InstanceStarted {
            reused = Map.copyOf(reused);
        }

        /** The start of an instance that runs every task. */
        public InstanceStarted() {
            this(Map.of());
        }
    }

    /** The instance reached its time limit (7 days by default). */
    record TimeLimitReached() implements LifecycleEvent {}

    /** The time at which a task stops waiting has been reached ({@link InstanceState#nextWake}). */
    record WaitEnded() implements LifecycleEvent {}

    /**
     * An instance that a task started has ended, and the task's executor continues.
     *
     * @param idempotencyKey the key of a run of the task or item, or of a call in one
     */
    record SubWorkflowEnded(TaskId task, String idempotencyKey) implements LifecycleEvent {}

    /** Another node took over the instance: tasks in flight start again with the same attempt and key. */
    record Recovered() implements LifecycleEvent {}

    /** A report of an executor or a timer about one attempt; ignored unless it is the current attempt. */
    sealed interface TaskReport extends InstanceEvent {
        TaskId task();

        int attempt();
    }

    /**
     * An executor finished.
     *
     * @param outputs values by output name
     * @param usage null if no model was called
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
     * An executor failed.
     *
     * @param retryAfter the delay requested by the remote side ({@code Retry-After}); null for none
     * @param usage null if no model was called
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
     * An executor suspended its task: the task waits without one.
     *
     * @param reason TIMER, EVENT or SUB_WORKFLOW
     * @param outputs values by output name with which the task completes when a TIMER ends; empty for other reasons
     * @param until when a TIMER ends, when the task stops waiting for an EVENT, or when the executor of a task that
     *     waits for a SUB_WORKFLOW looks for its end
     * @param usage null if no model was called
     */
    record TaskSuspended(
            TaskId task,
            int attempt,
            WaitingReason reason,
            Map<String, @Nullable Object> outputs,
            Instant until,
            @Nullable ModelUsage usage)
            implements TaskReport {
        public TaskSuspended {
            outputs = ImmutableMaps.copy(outputs);
        }

        public TaskSuspended(
                TaskId task, int attempt, WaitingReason reason, Map<String, @Nullable Object> outputs, Instant until) {
            this(task, attempt, reason, outputs, until, null);
        }
    }

    /**
     * An executor needs a person's approval of a tool call. It continues when the person has decided.
     *
     * @param usage null if no model was called
     */
    record ApprovalRequested(
            TaskId task,
            int attempt,
            PendingToolCall call,
            @Nullable ModelUsage usage) implements TaskReport {}

    /**
     * The inputs that {@link Effect.FetchInputs} asked for: those that a ticket shows, or the items of a task.
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
     * @param attempt the attempt that failed, as in the effect
     */
    record RetryDue(TaskId task, int attempt) implements TaskReport {}

    /** An action of a person; rejected where it does not fit. */
    sealed interface PersonAction extends InstanceEvent {}

    /**
     * The user answered in the conversation.
     *
     * @param values by input name; empty if the reply is plain text
     * @param text the reply as written; without values, it is the value of the first input asked for
     */
    record UserReplied(
            Map<String, @Nullable Object> values, @Nullable String text, String messageId) implements PersonAction {
        public UserReplied {
            values = ImmutableMaps.copy(values);
        }
    }

    /** An action on a ticket; {@code attempt} is the one of {@link Effect.OpenTicket}. */
    sealed interface TicketActionEvent extends PersonAction {
        TaskId task();

        int attempt();

        String by();
    }

    /**
     * The form was submitted: the outputs of a Human task, the requested inputs, or the approval of a tool call. A task
     * that failed gets {@link ExceptionSupplied}.
     *
     * @param answer values by the names of the form
     */
    record TicketCompleted(TaskId task, int attempt, Map<String, @Nullable Object> answer, String by)
            implements TicketActionEvent {
        public TicketCompleted {
            answer = ImmutableMaps.copy(answer);
        }
    }

    /** The person rejected the ticket; on an Exception ticket this raises the exception. */
    record TicketRejected(TaskId task, int attempt, String reason, String by) implements TicketActionEvent {}

    /** Run the task that failed again. */
    record ExceptionRetry(TaskId task, int attempt, String by) implements TicketActionEvent {}

    /** A person supplies the outputs of the task that failed. */
    record ExceptionSupplied(TaskId task, int attempt, Map<String, @Nullable Object> outputs, String by)
            implements TicketActionEvent {
        public ExceptionSupplied {
            outputs = ImmutableMaps.copy(outputs);
        }
    }

    /** Fail the instance with the task's exception. */
    record ExceptionRaised(TaskId task, int attempt, String reason, String by) implements TicketActionEvent {}

    /** A request of a client or an operator about the whole instance; rejected where it does not fit. */
    sealed interface ClientRequest extends InstanceEvent {}

    /**
     * The event that a task waits for.
     *
     * @param outputs values by output name
     */
    record EventReceived(TaskId task, int attempt, Map<String, @Nullable Object> outputs, String by)
            implements ClientRequest {
        public EventReceived {
            outputs = ImmutableMaps.copy(outputs);
        }
    }

    /** Let running tasks finish and start no new ones. */
    record PauseRequested(String by) implements ClientRequest {}

    /** End a requested pause. */
    record ResumeRequested(String by) implements ClientRequest {}

    /** Run again all tasks that wait on an Exception ticket. */
    record RetryRequested(String by) implements ClientRequest {}

    /** Stop the instance; the results of tasks in flight are dropped. */
    record CancelRequested(String by) implements ClientRequest {}

    /** End the instance at once, by a person, a key or the service. */
    record Terminated(String reason, String by) implements ClientRequest {}
}
