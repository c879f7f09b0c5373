package dev.parley.workflow.definition.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step that a person does: it opens a ticket, whose form is made from the outputs. */
public record HumanTask(
        TaskId id,
        String name,
        String instructions,
        List<InputParameter> inputParameters,
        List<OutputParameter> expectedOutput,
        @Nullable ErrorPolicy errorPolicy)
        implements Task {
    public HumanTask {
        inputParameters = List.copyOf(inputParameters);
        expectedOutput = List.copyOf(expectedOutput);
    }
}
