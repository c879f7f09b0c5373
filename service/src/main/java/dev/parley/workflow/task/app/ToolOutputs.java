package dev.parley.workflow.task.app;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.tool.source.ToolHttpResponse;
import dev.parley.tool.source.ToolOutcome;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.file.FileRenderer;
import dev.parley.workflow.task.file.MadeFile;
import dev.parley.workflow.task.file.UnrenderableTextException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a tool's result to a task's outputs. Each output is looked up by name in the structured result, in the text
 * if it is a JSON object, or in the member {@code json} of {@code http.request}. Otherwise a single output becomes the
 * whole text, and a file output the next file of the result.
 */
final class ToolOutputs {
    private ToolOutputs() {}

    /** The outputs, and those that are files given as bytes. */
    static TaskResult of(List<OutputParameter> declared, ToolOutcome outcome) throws TaskFailure {
        List<Map<?, ?>> sources = sources(outcome);
        Map<String, Object> found = new LinkedHashMap<>();
        Map<String, MadeFile> files = files(declared, sources, outcome.files());
        List<OutputParameter> others = declared.stream()
                .filter(output -> !files.containsKey(output.name()))
                .toList();
        for (OutputParameter output : others) {
            Object value = named(sources, output.name());
            boolean wholeText = declared.size() == 1 || output.type().isFile();
            if (value == null && wholeText && !outcome.text().isEmpty()) {
                value = outcome.text();
            }
            if (value != null) {
                found.put(output.name(), fitted(output.type(), value));
            }
        }
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs = ValueRules.outputs(others, found, JsonPointer.ROOT, violations);
        if (!violations.isEmpty()) {
            throw TaskFailure.permanent(
                    "Invalid tool answer",
                    "The tool's answer does not fit the expected output: "
                            + violations.getFirst().detail());
        }
        return new TaskResult(outputs, files);
    }

    /** Assigns the tool's files in order to the file outputs without a member. */
    private static Map<String, MadeFile> files(
            List<OutputParameter> declared, List<Map<?, ?>> sources, List<ToolOutcome.OutcomeFile> given)
            throws TaskFailure {
        Map<String, MadeFile> files = new LinkedHashMap<>();
        Deque<ToolOutcome.OutcomeFile> left = new ArrayDeque<>(given);
        for (OutputParameter output : declared) {
            if (!output.type().isFile() || named(sources, output.name()) != null || left.isEmpty()) {
                continue;
            }
            ToolOutcome.OutcomeFile file = left.remove();
            try {
                files.put(output.name(), FileRenderer.of(output, file.contentType(), file.bytes()));
            } catch (UnrenderableTextException e) {
                throw TaskFailure.of(
                        "Invalid tool answer", "Output '" + output.name() + "': " + e.detail(), false, null, e);
            }
        }
        return files;
    }

    private static List<Map<?, ?>> sources(ToolOutcome outcome) {
        List<Map<?, ?>> sources = new ArrayList<>();
        if (outcome.structured() instanceof Map<?, ?> structured) {
            sources.add(structured);
            if (structured.get("json") instanceof Map<?, ?> body) {
                sources.add(body);
            }
        } else if (ToolHttpResponse.json(outcome.text()) instanceof Map<?, ?> text) {
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

    /** A text output accepts any value, written as JSON; other types are converted by the value rules. */
    private static Object fitted(OutputType type, Object value) {
        return switch (type) {
            case BOOLEAN, INTEGER, FLOAT, DATETIME -> value instanceof String text ? text.strip() : value;
            case STRING, TEXT, MARKDOWN, HTML, CODE, PDF, CSV, XML, FILE, PPT ->
                value instanceof String text ? text : StrictJson.write(value);
        };
    }
}
