package dev.parley.workflow.definition.core.part;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.OutputParameter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties that tasks of every kind have.
 *
 * @param errorPolicy the handling of a final failure; null if the definition does not set it
 */
public record TaskBasics(
        TaskId id,
        String name,
        String instructions,
        List<InputParameter> inputParameters,
        List<OutputParameter> expectedOutput,
        @Nullable ErrorPolicy errorPolicy,
        ControlFlow controlFlow) {
    public TaskBasics {
        inputParameters = List.copyOf(inputParameters);
        expectedOutput = List.copyOf(expectedOutput);
    }
}
