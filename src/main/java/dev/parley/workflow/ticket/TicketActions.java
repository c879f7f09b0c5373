package dev.parley.workflow.ticket;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.Violation;
import java.util.List;

/**
 * How a person's answer reaches the instance that waits for it. The engine applies it and ends the ticket in one
 * transaction ({@link TicketStore#close}), so that of two answers at once one wins and the other is refused.
 */
public interface TicketActions {
    /** Applies the action; a result of {@link Done} is committed. */
    ActionResult act(OrganizationId organization, WorkflowInstanceId instance, TicketAction action);

    /** What became of an action. */
    sealed interface ActionResult {}

    /** The instance went on. */
    record Done() implements ActionResult {}

    /**
     * The instance is not waiting for this, or no longer.
     *
     * @param instanceStatus the instance's status
     */
    record ActionRejected(String instanceStatus, String sentence) implements ActionResult {}

    /**
     * The values do not suit; nothing changed.
     *
     * @param faults with pointers under {@code /answer}
     */
    record Invalid(List<Violation> faults) implements ActionResult {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }
}
