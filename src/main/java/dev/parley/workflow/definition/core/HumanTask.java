package dev.parley.workflow.definition.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task that a person performs: it opens a ticket whose form is built from the outputs.
 *
 * @param dueInMinutes time from opening to the ticket's due date; null for none
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

    @Override
    public @Nullable Duration due() {
        return dueInMinutes == null ? null : Duration.ofMinutes(dueInMinutes);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.HUMAN;
    }
}
