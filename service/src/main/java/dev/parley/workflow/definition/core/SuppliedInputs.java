package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Checks that a task has an input for each name that its tool or code requires. An input without a value yet counts as
 * supplied, because a connection, a person or the conversation's memory may provide one.
 */
final class SuppliedInputs {
    private SuppliedInputs() {}

    /** @param user the subject of the sentence: the tool or the code */
    static void check(Collection<String> required, List<ReadTask.ReadInput> inputs, ObjectReader task, String user) {
        ViolationCollector violations = task.violations();
        JsonPointer at = task.at().to("input_parameters");
        for (String name : required) {
            ReadTask.ReadInput input = inputs.stream()
                    .filter(one -> name.equals(one.name()))
                    .findFirst()
                    .orElse(null);
            if (input == null) {
                violations.missing(
                        ViolationCode.REQUIRED,
                        at,
                        "%s requires the input '%s', and %s has no input of this name."
                                .formatted(user, PlainJson.shown(name), task.owner()),
                        Map.of("input", PlainJson.shown(name)));
            } else if (hasNoValue(input)) {
                violations.missing(
                        ViolationCode.REQUIRED,
                        input.at().to("value"),
                        "%s requires a value for the input '%s' of %s."
                                .formatted(user, PlainJson.shown(name), task.owner()));
            }
        }
    }

    /** A required input without a value is a violation of its own. */
    private static boolean hasNoValue(ReadTask.ReadInput input) {
        InputParameter parameter = input.parameter();
        return parameter != null
                && !parameter.required()
                && parameter.source() == InputSource.TASK_CONFIG
                && parameter.value() == null
                && !input.fromDataLake();
    }
}
