package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.problem.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArgumentCheckTest {
    private static final String SCHEMA = """
            {"type": "object", "required": ["a/b", "n"], "additionalProperties": false, "minProperties": 1,
             "properties": {"a/b": {"type": "string"}, "n": {"type": "integer"},
                            "list": {"type": "array", "items": {"type": "object", "required": ["id"]}}}}""";

    @Test
    void everyViolationPointsToItsArgument() {
        List<Violation> violations = ToolArgumentValidator.violations(
                SCHEMA, Map.of("n", "one", "list", List.of(Map.of()), "x~y", 1), "/arguments");

        assertThat(violations)
                .extracting(violation -> violation.kind() + " " + violation.path())
                .containsExactlyInAnyOrder(
                        "Missing Required Field /arguments/a~1b",
                        "Invalid Value /arguments/n",
                        "Missing Required Field /arguments/list/0/id",
                        "Invalid Value /arguments/x~0y");
    }

    @Test
    void aViolationWithoutAFieldNamesTheArguments() {
        List<Violation> violations =
                ToolArgumentValidator.violations("{\"type\": \"object\", \"minProperties\": 1}", Map.of(), "");

        assertThat(violations).singleElement().satisfies(violation -> {
            assertThat(violation.path()).isEmpty();
            assertThat(violation.detail()).startsWith("The arguments: ");
        });
    }
}
