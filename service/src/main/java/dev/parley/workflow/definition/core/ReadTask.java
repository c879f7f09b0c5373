package dev.parley.workflow.definition.core;

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
record ReadTask(
        JsonPointer at,
        @Nullable TaskId id,
        Map<String, ReadInput> inputs,
        Map<String, ReadOutput> outputs,
        boolean forEach,
        boolean repeats,
        ControlFlow flow,
        @Nullable TaskBasics basics,
        @Nullable Task task) {

    /**
     * @param type null if invalid, like {@code source}
     * @param parameter null if the parameter has violations
     */
    record ReadInput(
            JsonPointer at,
            @Nullable String name,
            @Nullable ValueType type,
            @Nullable InputSource source,
            boolean required,
            boolean fromDataLake,
            @Nullable InputParameter parameter) {}

    /** @param type null if invalid */
    record ReadOutput(
            JsonPointer at,
            @Nullable String name,
            @Nullable OutputType type,
            @Nullable OutputParameter parameter) {}

    static Map<String, ReadInput> inputsByName(List<ReadInput> inputs) {
        Map<String, ReadInput> byName = new LinkedHashMap<>();
        for (ReadInput input : inputs) {
            if (input.name() != null) {
                byName.putIfAbsent(input.name(), input);
            }
        }
        return byName;
    }

    static Map<String, ReadOutput> outputsByName(List<ReadOutput> outputs) {
        Map<String, ReadOutput> byName = new LinkedHashMap<>();
        for (ReadOutput output : outputs) {
            if (output.name() != null) {
                byName.putIfAbsent(output.name(), output);
            }
        }
        return byName;
    }
}
