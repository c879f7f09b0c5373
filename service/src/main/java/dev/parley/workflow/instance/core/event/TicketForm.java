package dev.parley.workflow.instance.core.event;

import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.OutputParameter;
import java.util.List;

/**
 * The form of a ticket.
 *
 * @param outputs the task's outputs; empty when the ticket asks for inputs
 * @param inputs the requested inputs; empty when the ticket asks for outputs
 */
public record TicketForm(List<OutputParameter> outputs, List<InputParameter> inputs) {
    public TicketForm {
        outputs = List.copyOf(outputs);
        inputs = List.copyOf(inputs);
    }
}
