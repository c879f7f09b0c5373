package dev.parley.workflow.definition.core;

import static dev.parley.workflow.definition.JsonEdit.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The inputs that tools and code require of their tasks. */
class SuppliedInputsTest {
    private static final String MISSING = Violation.MISSING_REQUIRED_FIELD;
    private static final String CURRENCY = "currency-report";

    @Test
    void requiredArgumentsOfToolsAndRequiredInputsOfCodeAreSupplied() {
        KnownReferences known = new KnownReferences(
                Set.of(Examples.USER),
                Set.of(Examples.TEAM),
                Map.of(1, new KnownTool("builtin", "http.request", Set.of("url", "method", "headers"))),
                Map.of(1, Set.of("rates", "currency")),
                Map.of());
        Map<String, Object> tree = Examples.tree(CURRENCY);

        assertThat(DefinitionValidator.validate(tree, known).errors())
                .containsExactly(
                        new Violation(
                                        MISSING,
                                        ViolationCode.REQUIRED,
                                        "/tasks/0/input_parameters",
                                        "The tool 'http.request' requires the input 'headers', and the task 'rates' has no"
                                                + " input of this name.")
                                .with("input", "headers"),
                        new Violation(
                                        MISSING,
                                        ViolationCode.REQUIRED,
                                        "/tasks/0/input_parameters",
                                        "The tool 'http.request' requires the input 'method', and the task 'rates' has no"
                                                + " input of this name.")
                                .with("input", "method"),
                        new Violation(
                                        MISSING,
                                        ViolationCode.REQUIRED,
                                        "/tasks/1/input_parameters",
                                        "The code requires the input 'currency', and the task 'convert' has no input of this"
                                                + " name.")
                                .with("input", "currency"));
        assertThat(DefinitionValidator.readStored(tree).errors()).isEmpty();
    }

    @Test
    void anArgumentWithoutAValueIsMissingUnlessAValueMayStillCome() {
        Map<String, Object> tree = Examples.tree(CURRENCY);
        set(tree, "/tasks/0/input_parameters/0/required", false);
        set(tree, "/tasks/0/input_parameters/0/value", null);

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .containsExactly(new Violation(
                        MISSING,
                        ViolationCode.REQUIRED,
                        "/tasks/0/input_parameters/0/value",
                        "The tool 'http.request' requires a value for the input 'url' of the task 'rates'."));
        for (String source : List.of("human_input", "system_generated")) {
            set(tree, "/tasks/0/input_parameters/0/source", source);
            assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                    .isEmpty();
        }
    }
}
