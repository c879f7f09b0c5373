package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.id.UserId;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.AssignmentRule.AssignmentType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The assignee of a ticket: a user, or every member of a team.
 *
 * @param assignmentType {@code User} or {@code Team}
 * @param assigneeId a user's id as 32 hex digits, or a team's integer id as text
 */
@Schema(name = "TicketAssignee", description = "A user, or all members of a team.")
public record TicketAssignee(
        @Schema(
                enumeration = {"User", "Team"},
                examples = "Team")
        String assignmentType,

        @Schema(description = "A user's id, or a team's integer id as text", examples = "3")
        String assigneeId) {
    public static TicketAssignee of(AssignmentRule rule) {
        return new TicketAssignee(rule.assignmentType().text(), rule.assigneeId());
    }

    public static TicketAssignee of(UserId user) {
        return new TicketAssignee(AssignmentType.USER.text(), user.text());
    }

    @JsonIgnore
    public boolean isUser() {
        return assignmentType.equals(AssignmentType.USER.text());
    }

    /** The format of the history: {@code user:<id>} or {@code team:<id>}. */
    public String text() {
        return (isUser() ? "user:" : "team:") + assigneeId;
    }
}
