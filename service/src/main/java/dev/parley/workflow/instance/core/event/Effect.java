package dev.parley.workflow.instance.core.event;

import dev.parley.problem.Violation;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An action that the engine performs after a decision, in list order. */
public sealed interface Effect {

    /**
     * Run the task's executor; it reports with the same attempt number.
     *
     * @param item the index of the item, for a task that runs for each of them; null otherwise
     * @param idempotencyKey passed to tools as {@code Idempotency-Key}; unchanged by an automatic retry and by a
     *     recovery, new for a run ordered by a policy or a person
     */
    record StartTask(TaskId task, int attempt, @Nullable Integer item, TaskInputs inputs, String idempotencyKey)
            implements Effect {}

    /** Read the inputs that only a store has; {@link InstanceEvent.InputsFetched} follows. */
    record FetchInputs(TaskId task, int attempt, TaskInputs inputs) implements Effect {}

    /** Apply {@link InstanceEvent.RetryDue} with the same attempt at that time. */
    record ScheduleRetry(TaskId task, int attempt, Instant at) implements Effect {}

    /** Ask the executor of this attempt to stop. Its result is dropped. */
    record StopTask(TaskId task, int attempt) implements Effect {}

    /**
     * Open a ticket. Task, attempt and kind together identify at most one ticket of an instance.
     *
     * @param item the index of the item, for a task that runs for each of them; null otherwise
     * @param shown the inputs that the person sees; empty on a ticket that asks for inputs
     * @param error the details of the exception; null on other tickets
     * @param dueAt the due date; null for none
     * @param call the tool call to approve; null on other tickets
     */
    record OpenTicket(
            TaskId task,
            int attempt,
            @Nullable Integer item,
            RuleType kind,
            List<AssignmentRule> assignees,
            String title,
            String description,
            TicketForm form,
            TaskInputs shown,
            @Nullable TaskError error,
            @Nullable Instant dueAt,
            @Nullable PendingToolCall call)
            implements Effect {
        public OpenTicket(
                TaskId task,
                int attempt,
                @Nullable Integer item,
                RuleType kind,
                List<AssignmentRule> assignees,
                String title,
                String description,
                TicketForm form,
                TaskInputs shown,
                @Nullable TaskError error,
                @Nullable Instant dueAt) {
            this(task, attempt, item, kind, assignees, title, description, form, shown, error, dueAt, null);
        }
    }

    /**
     * Close the task's open ticket; a missing one is ignored and logged.
     *
     * @param answer the submitted form; null for none
     * @param reason why the ticket was rejected or closed; null otherwise
     * @param call the tool call that was approved; null for other ends
     */
    record CloseTicket(
            TaskId task,
            int attempt,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason,
            @Nullable PendingToolCall call)
            implements Effect {
        public CloseTicket(
                TaskId task,
                int attempt,
                TicketEnd end,
                String by,
                @Nullable Map<String, @Nullable Object> answer,
                @Nullable String reason) {
            this(task, attempt, end, by, answer, reason, null);
        }
    }

    /**
     * Ask the user in the conversation, by an {@code INPUT_REQUEST} message.
     *
     * @param inputs the inputs asked for; a plain text reply is the value of the first
     * @param rejection the violations of the last reply, if they are the reason to ask again; empty otherwise
     */
    record AskUser(TaskId task, String prompt, List<InputParameter> inputs, List<Violation> rejection)
            implements Effect {}

    /**
     * One status step. It drives message metadata, the history, notifications and webhooks; a decision may carry
     * several, in order.
     *
     * @param from null when the instance was just started
     */
    record StatusChanged(@Nullable InstanceStatus from, InstanceStatus to, Instant at) implements Effect {}

    /** The instance ended. Always the last effect. */
    record InstanceFinished(InstanceStatus status) implements Effect {}
}
