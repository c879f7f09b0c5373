package dev.parley.workflow.ticket.core;

import dev.parley.id.UserId;
import java.util.Optional;

/** Every rule of a ticket's status: the result of a person's action, and the end of a ticket. Pure and total. */
public final class TicketTransition {
    private TicketTransition() {}

    /** The result of an operation. */
    public sealed interface TicketTransitionResult {}

    /** The operation is allowed; the state may be unchanged. */
    public record OperationAccepted(TicketState state) implements TicketTransitionResult {}

    /** The operation is not allowed; the reason is a sentence for people. */
    public record OperationRejected(String reason) implements TicketTransitionResult {}

    /**
     * Applies a person's action. The caller has already checked the person's access to the ticket.
     *
     * @param manages whether the person is an admin or owner: they may take over, release or reassign a ticket that
     *     another person claimed, so that an absent person does not block it, but not answer it on that person's behalf
     */
    public static TicketTransitionResult apply(
            TicketState state, TicketOperation operation, UserId by, boolean manages) {
        if (!state.status().isOpen() && operation != TicketOperation.COMMENT) {
            return new OperationRejected("The ticket is no longer open: it is " + state.status() + ".");
        }
        boolean claimedByAnother = state.isClaimedByAnother(by);
        return switch (operation) {
            case CLAIM -> claimedByAnother ? claimedByAnother() : new OperationAccepted(TicketState.claimed(by));
            case TAKE_OVER ->
                claimedByAnother && !manages ? claimedByAnother() : new OperationAccepted(TicketState.claimed(by));
            case RELEASE -> release(state, claimedByAnother && !manages);
            case REASSIGN ->
                claimedByAnother && !manages ? claimedByAnother() : new OperationAccepted(TicketState.OPEN);
            case COMMENT -> new OperationAccepted(state);
            case ANSWER -> claimedByAnother ? claimedByAnother() : new OperationAccepted(state);
        };
    }

    /**
     * Applies the end that the engine decided, regardless of the claim.
     *
     * @return empty if the ticket had already ended
     */
    public static Optional<TicketState> end(TicketState state, TicketEnd end) {
        return state.status().isOpen()
                ? Optional.of(new TicketState(end.status(), state.claimedBy()))
                : Optional.empty();
    }

    private static TicketTransitionResult release(TicketState state, boolean forbidden) {
        if (state.status() == TicketStatus.OPEN) {
            return new OperationRejected("Nobody has claimed the ticket.");
        }
        return forbidden ? claimedByAnother() : new OperationAccepted(TicketState.OPEN);
    }

    private static TicketTransitionResult claimedByAnother() {
        return new OperationRejected("Another person has claimed the ticket.");
    }
}
