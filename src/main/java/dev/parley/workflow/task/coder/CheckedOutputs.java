package dev.parley.workflow.task.coder;

import dev.parley.http.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.ValueRules;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outputs in the result of {@code main}, checked alike in Coder tasks and in dry runs.
 *
 * @param values the outputs by name, or with an error those that were returned
 * @param error what is wrong with them; null if they are valid
 */
record CheckedOutputs(
        Map<String, @Nullable Object> values, @Nullable String error) {
    /** @param declared the expected outputs; null allows any */
    static CheckedOutputs of(@Nullable List<OutputParameter> declared, String result) {
        Map<String, Object> returned;
        try {
            returned = StrictJson.readObject(result);
        } catch (UncheckedIOException _) {
            return new CheckedOutputs(
                    Map.of(), "The result of 'main' is nested too deeply or contains unsupported numbers.");
        }
        if (declared == null) {
            return new CheckedOutputs(new LinkedHashMap<>(returned), null);
        }
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs = ValueRules.outputs(declared, returned, JsonPointer.ROOT, violations);
        if (violations.isEmpty()) {
            return new CheckedOutputs(new LinkedHashMap<>(outputs), null);
        }
        String error = violations.stream().map(CheckedOutputs::sentence).collect(Collectors.joining(" "));
        return new CheckedOutputs(new LinkedHashMap<>(returned), error);
    }

    /** Names the output, unless the detail does. */
    private static String sentence(Violation violation) {
        String detail = violation.detail();
        boolean isNamed = detail.contains("output '") || detail.contains("output named '");
        return isNamed ? detail : "Output '" + violation.field() + "': " + detail;
    }
}
