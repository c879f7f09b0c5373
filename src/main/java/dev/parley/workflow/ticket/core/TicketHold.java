package dev.parley.workflow.ticket.core;

import dev.parley.id.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A ticket's status, and who has claimed it.
 *
 * @param claimedBy not null while it is IN_PROGRESS, null while it is OPEN; afterwards who had it last
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
