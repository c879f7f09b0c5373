package dev.parley.tool.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

    @Test
    void patternsOfOneCheckShareTheirLimit() {
        String schema = "{\"properties\": {\"list\": {\"items\": {\"pattern\": \"(.*)(.*)(.*)x\"}}}}";
        List<String> texts = Collections.nCopies(10_000, "a".repeat(100));
        assertThat(CpuTime.of(
                        () -> assertThat(ToolArgumentValidator.violations(schema, Map.of("list", texts), "/arguments"))
                                .extracting(Violation::detail)
                                .containsExactly("The arguments could not be checked against the tool's schema.")))
                .isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void argumentsWithTooManyValuesForALargeSchemaAreRefused() {
        String branches = String.join(",", Collections.nCopies(1_000, "{\"type\": \"string\"}"));
        String schema = "{\"properties\": {\"list\": {\"items\": {\"anyOf\": [" + branches + "]}}}}";
        assertThat(CpuTime.of(() -> assertThat(ToolArgumentValidator.violations(
                                schema, Map.of("list", Collections.nCopies(100_000, 1)), "/arguments"))
                        .extracting(Violation::detail)
                        .containsExactly("The arguments have too many values for the tool's schema.")))
                .isLessThan(Duration.ofSeconds(5));
        List<Map<String, Integer>> rows = Collections.nCopies(10_000, Map.of("id", 1, "a", 1, "b", 1, "c", 1, "d", 1));
        assertThat(ToolArgumentValidator.violations(SCHEMA, Map.of("a/b", "", "n", 1, "list", rows), "/arguments"))
                .isEmpty();
    }

    @Test
    void thousandsOfRowsWithManyFieldsAreAccepted() {
        Map<String, Object> fields = new HashMap<>();
        Map<String, @Nullable Object> row = new HashMap<>();
        List<String> required = new ArrayList<>();
        for (int i = 0; i < 23; i++) {
            boolean isRequired = i < 10;
            Object nullable = Map.of("anyOf", List.of(Map.of("type", "integer"), Map.of("type", "null")));
            fields.put("f" + i, isRequired ? Map.of("type", "integer") : nullable);
            if (isRequired) {
                required.add("f" + i);
            }
            row.put("f" + i, isRequired ? i : null);
        }
        Map<String, Object> items = Map.of("type", "object", "required", required, "properties", fields);
        String schema = StrictJson.write(Map.of("properties", Map.of("rows", Map.of("type", "array", "items", items))));
        Map<String, Object> arguments = Map.of("rows", Collections.nCopies(5_000, row));
        assertThat(ToolArgumentValidator.violations(schema, arguments, "/arguments"))
                .isEmpty();
    }

    /** Each check of each value fails. */
    @Test
    void theMostChecksTakeBoundedTimeAndMemory() {
        String branches = String.join(",", Collections.nCopies(9, "{\"type\": \"string\"}"));
        String schema = "{\"properties\": {\"list\": {\"items\": {\"anyOf\": [" + branches + "]}}}}";
        assertThat(CpuTime.of(() -> assertThat(ToolArgumentValidator.violations(
                                schema, Map.of("list", Collections.nCopies(49_000, 1)), "/arguments"))
                        .hasSize(20)))
                .isLessThan(Duration.ofSeconds(20));
    }
}
