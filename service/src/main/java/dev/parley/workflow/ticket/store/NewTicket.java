package dev.parley.workflow.ticket.store;

import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ticket that an engine opens. Its origin and its kind together identify at most one ticket.
 *
 * @param assignees at least one
 * @param form the fields to fill in; empty if the ticket is only completed or rejected
 * @param inputs the task's inputs that the person sees, by name
 * @param exception null on a ticket that is not about an exception
 * @param dueAt null for a ticket without a due date
 * @param toolCall null on a ticket that is not about a tool call
 */
public record NewTicket(
        TicketOrigin origin,
        RuleType ruleType,
        List<TicketAssignee> assignees,
        String title,
        String description,
        List<FormField> form,
        Map<String, @Nullable Object> inputs,
        @Nullable ExceptionDetails exception,
        @Nullable Instant dueAt,
        @Nullable ToolCallDetails toolCall) {
    /** A ticket that is not about a tool call. */
    public NewTicket(
            TicketOrigin origin,
            RuleType ruleType,
            List<TicketAssignee> assignees,
            String title,
            String description,
            List<FormField> form,
            Map<String, @Nullable Object> inputs,
            @Nullable ExceptionDetails exception,
            @Nullable Instant dueAt) {
        this(origin, ruleType, assignees, title, description, form, inputs, exception, dueAt, null);
    }

    public NewTicket {
        assignees = List.copyOf(assignees);
        form = List.copyOf(form);
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }

    /** An exception interrupts a running instance, so it is more urgent than a planned question. */
    public Ticket.Priority priority() {
        return switch (ruleType) {
            case HUMAN_FEEDBACK -> Ticket.Priority.NORMAL;
            case EXCEPTION -> Ticket.Priority.HIGH;
        };
    }
}
