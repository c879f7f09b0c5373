package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.AssignmentRule;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an engine has to do after a decision, in the order of the list. */
public sealed interface Effect {

    /**
     * Run an executor, and report with the same attempt.
     *
     * @param idempotencyKey handed to tools as {@code Idempotency-Key}; the same for an automatic retry and after a
     *     recovery, another for a run that a policy or a person ordered
     */
    record StartTask(TaskId task, int attempt, TaskInputs inputs, String idempotencyKey) implements Effect {}

    /** Apply {@link InstanceEvent.RetryDue} with the same attempt at that time. */
    record ScheduleRetry(TaskId task, int attempt, Instant at) implements Effect {}

    /** Tell the executor of this attempt to stop; its result will be dropped. */
    record StopTask(TaskId task, int attempt) implements Effect {}

    /**
     * Open a ticket. Task, attempt and kind together name at most one ticket of an instance.
     *
     * @param shown the inputs that the person sees; empty on a ticket that asks for inputs
     * @param error the exception's details; null on other tickets
     * @param dueAt when it shall be done; null where nobody said
     */
    record OpenTicket(
            TaskId task,
            int attempt,
            RuleType kind,
            List<AssignmentRule> assignees,
            String title,
            String description,
            TicketForm form,
            TaskInputs shown,
            @Nullable TaskError error,
            @Nullable Instant dueAt)
            implements Effect {}

    /**
     * Close the task's open ticket; a missing one is ignored and logged.
     *
     * @param answer what the person filled in; null where there is none
     * @param reason why it was rejected or closed; null otherwise
     */
    record CloseTicket(
            TaskId task,
            int attempt,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason)
            implements Effect {}

    /**
     * Ask the user in the conversation by an {@code INPUT_REQUEST} message.
     *
     * @param inputs what is asked for; a plain text reply is taken for the first
     */
    record AskUser(TaskId task, String prompt, List<InputParameter> inputs) implements Effect {}

    /**
     * One status step. It drives message metadata, the history, notifications and webhooks; a decision
     * may carry several, in order.
     *
     * @param from null when the instance was just started
     */
    record StatusChanged(@Nullable InstanceStatus from, InstanceStatus to, Instant at) implements Effect {}

    /** The instance ended; it comes last. */
    record InstanceFinished(InstanceStatus status) implements Effect {}
}
