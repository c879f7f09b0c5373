package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.workflow.ticket.core.TicketState;
import dev.parley.workflow.ticket.core.TicketStatus;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * A ticket in a list; {@link TicketDetails} has the data for working on it.
 *
 * @param number counts from 1 per organization
 * @param ruleType {@code Human Feedback} or {@code Exception}
 * @param assignee the first of the assignments; null if there is none
 * @param claimedBy the user who works on it, or who had it when it ended
 * @param reason why it was rejected or closed
 * @param resolvedBy who ended it: {@code user:<id>} or {@code system}
 * @param resolvedAt when it ended in any way
 * @param replaces the ticket of the same task that was rejected or retried before this one opened
 * @param replacedBy the ticket of the same task that opened after this one was rejected or retried
 */
@Schema(name = "Ticket", description = "A work item for people: a Human task, missing inputs, or an exception.")
public record Ticket(
        TicketId id,
        @Schema(examples = "17") int number,

        @Schema(enumeration = {"Human Feedback", "Exception"})
        String ruleType,

        String title,
        String description,
        TicketStatus status,
        Priority priority,

        @Schema(description = "The first of the assignments; null if there is none") @Nullable
        TicketAssignee assignee,

        List<TicketAssignee> assignments,

        @Schema(description = "The user who claimed it") @Nullable
        UserId claimedBy,

        @Nested @JsonUnwrapped TicketOrigin origin,

        @Schema(description = "Of an Exception ticket: why the task failed") @Nullable
        ExceptionDetails exception,

        @Schema(description = "The tool call to approve; its arguments are the inputs. null for other tickets")
        @Nullable
        ToolCallDetails toolCall,

        @Schema(description = "Reason of the rejection or closing") @Nullable
        String reason,

        @Schema(description = "The ticket of the same task that was rejected or retried before this one opened")
        @Nullable
        TicketId replaces,

        @Schema(description = "The ticket of the same task that opened after this one was rejected or retried")
        @Nullable
        TicketId replacedBy,

        @Nullable Instant dueAt,
        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "Who resolved, rejected or closed it: `user:<id>` or `system`") @Nullable
        String resolvedBy,

        @Schema(description = "Time when it was resolved, rejected or closed") @Nullable
        Instant resolvedAt) {
    /** The urgency of a ticket. */
    public enum Priority {
        NORMAL,
        HIGH
    }

    public Ticket {
        assignments = List.copyOf(assignments);
    }

    public TicketState state() {
        return new TicketState(status, claimedBy);
    }
}
