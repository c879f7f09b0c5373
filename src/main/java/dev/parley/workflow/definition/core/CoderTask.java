package dev.parley.workflow.definition.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task that runs a code artifact in the sandbox. */
public record CoderTask(
        TaskId id,
        String name,
        String instructions,
        List<InputParameter> inputParameters,
        List<OutputParameter> expectedOutput,
        @Nullable ErrorPolicy errorPolicy,
        int codeArtifactId)
        implements Task {
    public CoderTask {
        inputParameters = List.copyOf(inputParameters);
        expectedOutput = List.copyOf(expectedOutput);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.CODER;
    }
}
