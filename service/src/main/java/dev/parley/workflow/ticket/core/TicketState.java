package dev.parley.workflow.ticket.core;

import dev.parley.id.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A ticket's status and claim.
 *
 * @param claimedBy set while IN_PROGRESS, null while OPEN; afterwards the last user who claimed it
 */
public record TicketState(TicketStatus status, @Nullable UserId claimedBy) {
    public static final TicketState OPEN = new TicketState(TicketStatus.OPEN, null);

    public static TicketState claimed(UserId by) {
        return new TicketState(TicketStatus.IN_PROGRESS, by);
    }

    public boolean isClaimedByAnother(UserId user) {
        return status == TicketStatus.IN_PROGRESS && !user.equals(claimedBy);
    }
}
