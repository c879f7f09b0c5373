package dev.parley.workflow.task.coder;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueRules;
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
        Map<String, Object> rounded = Map.of();
        try {
            int line = result.startsWith("~") ? result.indexOf('\n') : -1;
            if (line > 0) {
                rounded = StrictJson.readObject(result.substring(1, line));
            }
            returned = StrictJson.readObject(result.substring(line + 1));
        } catch (UncheckedIOException _) {
            return new CheckedOutputs(
                    Map.of(),
                    "The result of 'main' is nested too deeply, or contains a name twice, a number of more than 1,000"
                            + " digits, or half of a character (an unpaired surrogate).");
        }
        if (declared == null) {
            return new CheckedOutputs(new LinkedHashMap<>(returned), null);
        }
        List<Violation> violations = new ArrayList<>();
        for (OutputParameter output : declared) {
            if (output.type() == OutputType.INTEGER && rounded.containsKey(output.name())) {
                violations.add(Violation.invalid(
                        ViolationCode.OUT_OF_RANGE,
                        JsonPointer.ROOT.to(output.name()).toString(),
                        "The output '" + output.name() + "' is " + rounded.get(output.name())
                                + ", and numbers beyond 2^53 may have lost digits. Return a BigInt or a text."));
            }
        }
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
