package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.OutputParameter;
import java.util.List;

/**
 * What a ticket asks a person to fill in.
 *
 * @param outputs the task's outputs; empty when the ticket asks for inputs
 * @param inputs the inputs asked for; empty when the ticket asks for outputs
 */
public record TicketForm(List<OutputParameter> outputs, List<InputParameter> inputs) {
    public TicketForm {
        outputs = List.copyOf(outputs);
        inputs = List.copyOf(inputs);
    }
}
