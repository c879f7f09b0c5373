package dev.parley.workflow.definition.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task that a model performs.
 *
 * @param tools the {@code tool_id}s of the tools that the model may call; empty for none
 */
public record AiTask(
        TaskId id,
        String name,
        String instructions,
        List<InputParameter> inputParameters,
        List<OutputParameter> expectedOutput,
        @Nullable ErrorPolicy errorPolicy,
        List<Integer> tools)
        implements Task {
    public AiTask {
        inputParameters = List.copyOf(inputParameters);
        expectedOutput = List.copyOf(expectedOutput);
        tools = List.copyOf(tools);
    }

    /** Without tools. */
    public AiTask(
            TaskId id,
            String name,
            String instructions,
            List<InputParameter> inputParameters,
            List<OutputParameter> expectedOutput,
            @Nullable ErrorPolicy errorPolicy) {
        this(id, name, instructions, inputParameters, expectedOutput, errorPolicy, List.of());
    }

    @Override
    public TaskKind kind() {
        return TaskKind.AI;
    }
}
