package dev.parley.workflow.task.app;

import dev.parley.http.StrictJson;
import dev.parley.problem.Fault;
import dev.parley.tool.HttpAnswer;
import dev.parley.tool.ToolOutcome;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.OutputType;
import dev.parley.workflow.definition.core.Pointer;
import dev.parley.workflow.definition.core.Values;
import dev.parley.workflow.task.TaskFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool's result as a task's outputs. Each is the member of its name in the structured result, in the text where that
 * is a JSON object, or in the member {@code json} that {@code http.request} gives. A single output that is found nowhere
 * is the whole text.
 */
final class ToolOutputs {
    private ToolOutputs() {}

    static Map<String, @Nullable Object> of(List<OutputParameter> declared, ToolOutcome outcome) throws TaskFailure {
        List<Map<?, ?>> sources = sources(outcome);
        Map<String, Object> found = new LinkedHashMap<>();
        for (OutputParameter output : declared) {
            Object value = named(sources, output.name());
            boolean wholeText = declared.size() == 1 || output.type().isFile();
            if (value == null && wholeText && !outcome.text().isEmpty()) {
                value = outcome.text();
            }
            if (value != null) {
                found.put(output.name(), fitted(output.type(), value));
            }
        }
        List<Fault> faults = new ArrayList<>();
        Map<String, @Nullable Object> outputs = Values.outputs(declared, found, Pointer.ROOT, faults);
        if (!faults.isEmpty()) {
            throw TaskFailure.permanent(
                    "Invalid tool answer",
                    "The tool's answer does not fit the expected output: "
                            + faults.getFirst().detail());
        }
        return outputs;
    }

    private static List<Map<?, ?>> sources(ToolOutcome outcome) {
        List<Map<?, ?>> sources = new ArrayList<>();
        if (outcome.structured() instanceof Map<?, ?> structured) {
            sources.add(structured);
            if (structured.get("json") instanceof Map<?, ?> body) {
                sources.add(body);
            }
        } else if (HttpAnswer.json(outcome.text()) instanceof Map<?, ?> text) {
            sources.add(text);
        }
        return sources;
    }

    private static @Nullable Object named(List<Map<?, ?>> sources, String name) {
        for (Map<?, ?> source : sources) {
            Object value = source.get(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** Text may be any value, written as JSON; the other types are what the value rules make of the value. */
    private static Object fitted(OutputType type, Object value) {
        return switch (type) {
            case BOOLEAN, INTEGER, FLOAT, DATETIME -> value instanceof String text ? text.strip() : value;
            case STRING, TEXT, MARKDOWN, HTML, CODE, PDF, CSV, XML, FILE, PPT ->
                value instanceof String text ? text : StrictJson.write(value);
        };
    }
}
