package dev.parley.workflow.ticket.core;

import dev.parley.id.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A ticket's status and claim.
 *
 * @param claimedBy set while IN_PROGRESS, null while OPEN; afterwards the last user who claimed it
 */
public record TicketHold(TicketStatus status, @Nullable UserId claimedBy) {
    public static final TicketHold OPEN = new TicketHold(TicketStatus.OPEN, null);

    public static TicketHold claimed(UserId by) {
        return new TicketHold(TicketStatus.IN_PROGRESS, by);
    }

    public boolean isClaimedByAnother(UserId user) {
        return status == TicketStatus.IN_PROGRESS && !user.equals(claimedBy);
    }
}
