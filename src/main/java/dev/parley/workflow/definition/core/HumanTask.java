package dev.parley.workflow.definition.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step that a person does: it opens a ticket, whose form is made from the outputs.
 *
 * @param dueInMinutes how long after its opening the ticket is due; null for no date
 */
public record HumanTask(
        TaskId id,
        String name,
        String instructions,
        List<InputParameter> inputParameters,
        List<OutputParameter> expectedOutput,
        @Nullable ErrorPolicy errorPolicy,
        @Nullable Integer dueInMinutes)
        implements Task {
    public HumanTask {
        inputParameters = List.copyOf(inputParameters);
        expectedOutput = List.copyOf(expectedOutput);
    }

    /** How long after its opening the ticket is due; null for no date. */
    public @Nullable Duration due() {
        return dueInMinutes == null ? null : Duration.ofMinutes(dueInMinutes);
    }
}
