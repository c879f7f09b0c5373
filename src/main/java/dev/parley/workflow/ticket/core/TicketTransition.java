package dev.parley.workflow.ticket.core;

import dev.parley.id.UserId;
import java.util.Optional;

/** Every rule of a ticket's status: the result of a person's action, and the end of a ticket. Pure and total. */
public final class TicketTransition {
    private TicketTransition() {}

    /** The result of an action. */
    public sealed interface TicketTransitionResult {}

    /** The action is allowed; the hold may be unchanged. */
    public record Moved(TicketHold hold) implements TicketTransitionResult {}

    /** The action is not allowed; the sentence says why. */
    public record TicketRejected(String sentence) implements TicketTransitionResult {}

    /**
     * Applies a person's action. The caller has already checked the person's access to the ticket.
     *
     * @param manages whether the person is an admin or owner: they may release or reassign a ticket that another person
     *     claimed, so that an absent person does not block it, but not answer it on that person's behalf
     */
    public static TicketTransitionResult apply(TicketHold hold, TicketStep step, UserId by, boolean manages) {
        if (!hold.status().isOpen()) {
            return new TicketRejected("The ticket is no longer open: it is " + hold.status() + ".");
        }
        boolean taken = hold.isClaimedByAnother(by);
        return switch (step) {
            case CLAIM -> taken ? claimedByAnother() : new Moved(TicketHold.claimed(by));
            case RELEASE -> release(hold, taken && !manages);
            case REASSIGN -> taken && !manages ? claimedByAnother() : new Moved(TicketHold.OPEN);
            case COMMENT -> new Moved(hold);
            case ANSWER -> taken ? claimedByAnother() : new Moved(hold);
        };
    }

    /**
     * Applies the end that the engine decided, regardless of the claim.
     *
     * @return empty if the ticket had already ended
     */
    public static Optional<TicketHold> end(TicketHold hold, TicketEnd end) {
        return hold.status().isOpen() ? Optional.of(new TicketHold(end.status(), hold.claimedBy())) : Optional.empty();
    }

    private static TicketTransitionResult release(TicketHold hold, boolean refused) {
        if (hold.status() == TicketStatus.OPEN) {
            return new TicketRejected("Nobody has claimed the ticket.");
        }
        return refused ? claimedByAnother() : new Moved(TicketHold.OPEN);
    }

    private static TicketTransitionResult claimedByAnother() {
        return new TicketRejected("Another person has claimed the ticket.");
    }
}
