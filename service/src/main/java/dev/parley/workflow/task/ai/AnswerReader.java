package dev.parley.workflow.task.ai;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.exc.StreamReadException;
import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatReply;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.task.file.FileRenderer;
import dev.parley.workflow.task.file.MarkdownFence;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses a model's answer into the outputs of a task, and reports every violation so that the model can correct it. */
final class AnswerReader {
    private AnswerReader() {}

    /** The validated outputs. If the answer is invalid, empty with violations added. */
    static Optional<Map<String, @Nullable Object>> read(
            ChatReply reply, List<OutputParameter> outputs, List<Violation> violations) {
        List<Map<String, Object>> answers;
        try {
            answers = objects(reply);
        } catch (NotAnObject e) {
            violations.add(Violation.invalid(ViolationCode.INVALID_FORMAT, "", e.detail));
            return Optional.empty();
        }
        List<Map<String, @Nullable Object>> fitting = new ArrayList<>();
        for (Map<String, Object> answer : answers) {
            violations.clear();
            values(answer, outputs, violations)
                    .filter(values -> !fitting.contains(values))
                    .ifPresent(fitting::add);
        }
        if (fitting.size() > 1) {
            violations.add(Violation.invalid(
                    ViolationCode.INVALID_FORMAT,
                    "",
                    "The answer has several JSON objects that match; it must have one."));
            return Optional.empty();
        }
        if (fitting.size() == 1) {
            violations.clear();
            return Optional.of(fitting.getFirst());
        }
        return Optional.empty();
    }

    private static Optional<Map<String, @Nullable Object>> values(
            Map<String, Object> answer, List<OutputParameter> outputs, List<Violation> violations) {
        Map<String, @Nullable Object> values = ValueRules.outputs(outputs, answer, JsonPointer.ROOT, violations);
        for (OutputParameter output : outputs) {
            if (values.get(output.name()) instanceof String file
                    && output.type().isFile()) {
                FileRenderer.fault(output.type(), file)
                        .ifPresent(detail -> violations.add(
                                Violation.invalid(ViolationCode.UNREADABLE, "/" + output.name(), detail)));
            }
        }
        return violations.isEmpty() ? Optional.of(new LinkedHashMap<>(values)) : Optional.empty();
    }

    /** The object that is the answer, or else all objects in it. */
    private static List<Map<String, Object>> objects(ChatReply reply) throws NotAnObject {
        if (!reply.toolCalls().isEmpty()) {
            throw new NotAnObject("The answer was cut off at the model's length limit within a tool call.");
        }
        if (reply.text().isBlank()) {
            throw new NotAnObject("The answer is empty.");
        }
        String text = MarkdownFence.open(reply.text()).text().strip();
        String fault;
        try {
            Object tree = StrictJson.readTrusted(text, Object.class);
            if (tree instanceof Map<?, ?> object) {
                Map<String, Object> answer = new LinkedHashMap<>();
                object.forEach((name, value) -> answer.put(String.valueOf(name), value));
                return List.of(answer);
            }
            fault = "The answer is JSON, but not an object.";
        } catch (UncheckedIOException e) {
            fault = reply.finish() == ChatReply.ReplyFinish.LENGTH
                    ? "The answer was cut off at the model's length limit; it must be shorter."
                    : "The answer is not JSON" + location(e) + ".";
        }
        List<Map<String, Object>> found =
                reply.finish() == ChatReply.ReplyFinish.LENGTH ? List.of() : JsonInText.objects(text);
        if (found.isEmpty()) {
            throw new NotAnObject(fault);
        }
        return found;
    }

    private static String location(UncheckedIOException e) {
        if (!(e.getCause() instanceof StreamReadException fault)) {
            return "";
        }
        JsonLocation at = fault.getLocation();
        return at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }

    private static final class NotAnObject extends Exception {
        private static final long serialVersionUID = 1;
        private final String detail;

        NotAnObject(String detail) {
            super(detail);
            this.detail = detail;
        }
    }
}
