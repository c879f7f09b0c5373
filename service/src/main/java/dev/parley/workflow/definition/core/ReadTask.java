package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The readable part of a task, so that its connections are checked even if the task itself has violations.
 *
 * @param id null if it is missing, malformed, or used by an earlier task
 * @param forEach whether the task runs for each item of an input, so that its outputs are arrays
 * @param repeats whether the task repeats until a condition holds
 * @param flow its valid parts
 * @param basics what expressions refer to; null if the id, an input, an output or {@code for_each} has violations
 * @param task null if the task has violations
 */
public record ReadTask(
        JsonPointer at,
        @Nullable TaskId id,
        Map<String, ReadInput> inputs,
        Map<String, ReadOutput> outputs,
        boolean forEach,
        boolean repeats,
        ControlFlow flow,
        @Nullable TaskBasics basics,
        @Nullable Task task) {

    /** An input or an output. */
    sealed interface ReadParameter {
        @Nullable
        String name();
    }

    /**
     * @param type null if invalid, like {@code source}
     * @param parameter null if the parameter has violations
     */
    public record ReadInput(
            JsonPointer at,
            @Nullable String name,
            @Nullable ValueType type,
            @Nullable InputSource source,
            boolean required,
            boolean fromDataLake,
            @Nullable InputParameter parameter)
            implements ReadParameter {}

    /** @param type null if invalid */
    public record ReadOutput(
            JsonPointer at,
            @Nullable String name,
            @Nullable OutputType type,
            @Nullable OutputParameter parameter) implements ReadParameter {}

    public static <P extends ReadParameter> Map<String, P> byName(List<P> parameters) {
        Map<String, P> byName = new LinkedHashMap<>();
        for (P parameter : parameters) {
            String name = parameter.name();
            if (name != null) {
                byName.putIfAbsent(name, parameter);
            }
        }
        return byName;
    }
}
