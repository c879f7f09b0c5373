package dev.parley.workflow.definition.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task that calls a tool of the organization's catalogue. */
public record AppTask(
        TaskId id,
        String name,
        String instructions,
        List<InputParameter> inputParameters,
        List<OutputParameter> expectedOutput,
        @Nullable ErrorPolicy errorPolicy,
        String provider,
        String toolName,
        int toolId)
        implements Task {
    public AppTask {
        inputParameters = List.copyOf(inputParameters);
        expectedOutput = List.copyOf(expectedOutput);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.APP;
    }
}
