package dev.parley.workflow.ticket.core;

import dev.parley.id.UserId;
import java.util.Optional;

/** Every rule of a ticket's status: what a person's step makes of it, and how it ends. Pure and total. */
public final class TicketTransition {
    private TicketTransition() {}

    /** What becomes of a step. */
    public sealed interface TicketTransitionResult {}

    /** The step is done; the hold may be what it was. */
    public record Moved(TicketHold hold) implements TicketTransitionResult {}

    /** The step does not fit, and a sentence says why. */
    public record TicketRejected(String sentence) implements TicketTransitionResult {}

    /**
     * A person's step. Whether the person may act on the ticket at all has been asked before.
     *
     * @param manages whether the person is an admin or owner: they may take a ticket from who claimed it, to release
     *     or reassign it, so that no ticket is stuck with somebody who is away; they do not answer it in that
     *     person's place
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
     * The end that the instance's engine decided, whoever claimed the ticket.
     *
     * @return empty when the ticket had ended before
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
        return new TicketRejected("Somebody else has claimed the ticket.");
    }
}
