package dev.parley.workflow.ticket;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.Violation;
import java.util.List;

/**
 * Port: passes a person's answer to the waiting instance. The engine applies it and ends the ticket in one transaction
 * ({@link TicketStore#close}), so that one of two concurrent answers succeeds and the other is rejected.
 */
public interface TicketActions {
    /** Applies the action; it is committed if the result is {@link Done}. */
    ActionResult act(OrganizationId organization, WorkflowInstanceId instance, TicketAction action);

    /** The result of an action. */
    sealed interface ActionResult {}

    /** The instance accepted it. */
    record Done() implements ActionResult {}

    /**
     * The instance is not, or no longer, waiting for this.
     *
     * @param instanceStatus the instance's status
     */
    record ActionRejected(String instanceStatus, String detail) implements ActionResult {}

    /**
     * The values are invalid; nothing changed.
     *
     * @param violations with pointers under {@code /answer}
     */
    record Invalid(List<Violation> violations) implements ActionResult {
        public Invalid {
            violations = List.copyOf(violations);
        }
    }
}
