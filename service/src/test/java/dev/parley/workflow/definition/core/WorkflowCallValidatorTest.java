package dev.parley.workflow.definition.core;

import static dev.parley.workflow.definition.JsonEdit.get;
import static dev.parley.workflow.definition.JsonEdit.remove;
import static dev.parley.workflow.definition.JsonEdit.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** App tasks that run a workflow, against its signature. */
class WorkflowCallValidatorTest {
    /** The task {@code revise} calls the example "draft-review": {@code draft} in; {@code approved}, {@code draft} out. */
    private static final String CALL = "/tasks/1";

    private final Map<String, Object> tree = Examples.tree("revise-until-content");
    private WorkflowSignature callee = WorkflowSignature.of(Examples.definition("draft-review"));

    private List<Violation> errors() {
        KnownReferences known = new KnownReferences(
                Set.of(Examples.USER),
                Set.of(Examples.TEAM),
                Map.of(
                        1002,
                        new KnownTool("workflow", "0192f0c1aa2b3c4d5e6f708192a3b4c6", Set.of("draft"), callee, false)),
                Map.of(),
                Map.of());
        return DefinitionValidator.validate(tree, known).errors();
    }

    private static Map<String, Object> input(String name, String type, String source) {
        return new HashMap<>(
                Map.of("name", name, "type", type, "description", "d", "required", false, "source", source));
    }

    @Test
    void theExampleFits() {
        assertThat(errors()).isEmpty();
    }

    @Test
    void theOnlyOutputMayHaveAnotherNameAndGetsTheWholeResult() {
        set(tree, CALL + "/expected_output", List.of(Map.of("name", "mood", "type", "STRING", "description", "d")));
        assertThat(errors()).extracting(Violation::path).noneMatch(path -> path.startsWith(CALL + "/expected_output"));
    }

    @Test
    void anUnknownArgumentAndAnUnknownOutputAreRefused() {
        set(tree, CALL + "/input_parameters/2", input("tone", "STRING", "human_input"));
        set(tree, CALL + "/expected_output/2", Map.of("name", "mood", "type", "STRING", "description", "d"));
        assertThat(errors())
                .extracting(Violation::path)
                .containsExactly(CALL + "/expected_output/2/name", CALL + "/input_parameters/2/name");
        assertThat(errors())
                .extracting(Violation::detail)
                .containsExactly(
                        "The workflow that the task 'revise' runs has no output 'mood'.",
                        "The workflow that the task 'revise' runs has no input 'tone'.");
    }

    @Test
    void anInputOfTheConditionIsNoArgument() {
        set(tree, CALL + "/input_parameters/2", input("limit", "INTEGER", "human_input"));
        set(tree, CALL + "/when", "inputs.limit > 3");
        assertThat(errors()).isEmpty();
    }

    @Test
    void aRequiredArgumentIsMissing() {
        remove(tree, CALL + "/input_parameters/0");
        remove(tree, "/connections/0");
        set(tree, "/dependencies", List.of(Map.of("from", "write", "to", "revise")));
        assertThat(errors())
                .extracting(Violation::detail)
                .containsExactly(
                        "The workflow '0192f0c1aa2b3c4d5e6f708192a3b4c6' requires the input 'draft', and the task"
                                + " 'revise' has no input of this name.");
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGER, integer, true",
        "INTEGER, number, true",
        "FLOAT, number, true",
        "FLOAT, integer, false",
        "STRING, integer, false",
        "BOOLEAN, boolean, true",
        "BOOLEAN, string, false",
        "STRING, array, false",
    })
    void typesOfArgumentsMustFit(String type, String schema, boolean fits) {
        callee = new WorkflowSignature(
                Map.of("properties", Map.of("draft", Map.of("type", "string"), "n", Map.of("type", schema))),
                callee.outputSchema());
        set(tree, CALL + "/input_parameters/2", input("n", type, "human_input"));
        assertThat(errors())
                .extracting(Violation::path)
                .isEqualTo(fits ? List.of() : List.of(CALL + "/input_parameters/2/type"));
    }

    @Test
    void itemsAndMembersMustFit() {
        callee = new WorkflowSignature(
                Map.of(
                        "properties",
                        Map.of(
                                "draft",
                                Map.of("type", "string"),
                                "list",
                                Map.of("type", "array", "items", Map.of("type", "integer")),
                                "order",
                                Map.of(
                                        "type",
                                        "object",
                                        "properties",
                                        Map.of("total", Map.of("type", "number")),
                                        "required",
                                        List.of("total")))),
                callee.outputSchema());
        Map<String, Object> list = input("list", "ARRAY", "human_input");
        list.put("items", Map.of("type", "STRING"));
        Map<String, Object> order = input("order", "OBJECT", "human_input");
        order.put("properties", List.of(Map.of("name", "sum", "type", "FLOAT", "description", "d", "required", true)));
        set(tree, CALL + "/input_parameters/2", list);
        set(tree, CALL + "/input_parameters/3", order);
        assertThat(errors())
                .extracting(Violation::path)
                .containsExactly(CALL + "/input_parameters/2/type", CALL + "/input_parameters/3/type");
        list.put("items", Map.of("type", "INTEGER"));
        order.put(
                "properties",
                List.of(Map.of("name", "total", "type", "INTEGER", "description", "d", "required", true)));
        assertThat(errors()).isEmpty();
    }

    /** Each run gets one item. */
    @Test
    void theItemsOfATaskThatRunsForEachAreItsArguments() {
        set(tree, CALL + "/for_each", Map.of("input", "list"));
        Map<String, Object> list = input("list", "ARRAY", "human_input");
        list.put("items", Map.of("type", "INTEGER"));
        set(tree, CALL + "/input_parameters/2", list);
        Map<String, Object> arguments = new HashMap<>(Map.of("draft", Map.of("type", "string")));
        for (String accepted : List.of("integer", "string")) {
            arguments.put("list", Map.of("type", accepted));
            callee = new WorkflowSignature(Map.of("properties", Map.copyOf(arguments)), callee.outputSchema());
            assertThat(errors()).hasSize(accepted.equals("integer") ? 0 : 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGER, INTEGER, true", "INTEGER, FLOAT, true", "FLOAT, INTEGER, false", "STRING, INTEGER, false",
        "BOOLEAN, STRING, true", "STRING, BOOLEAN, false", "DATETIME, DATETIME, true", "STRING, DATETIME, false",
        "PDF, STRING, true", "PDF, PDF, true", "INTEGER, PDF, false"
    })
    void typesOfOutputsMustFit(String returned, String declared, boolean fits) {
        Map<String, Object> other = Examples.tree("draft-review");
        int last = ((List<?>) get(other, "/tasks")).size() - 1;
        set(other, "/tasks/" + last + "/expected_output/0/type", returned);
        callee = WorkflowSignature.of(DefinitionValidator.readStored(other).required());
        String name = (String) get(other, "/tasks/" + last + "/expected_output/0/name");
        remove(tree, CALL + "/repeat");
        ((List<?>) get(tree, CALL + "/expected_output")).clear();
        remove(tree, CALL + "/input_parameters/1");
        set(tree, CALL + "/expected_output/0", Map.of("name", name, "type", declared, "description", "d"));
        assertThat(errors())
                .extracting(Violation::path)
                .isEqualTo(fits ? List.of() : List.of(CALL + "/expected_output/0/type"));
    }

    @Test
    void systemValuesOfTheTriggerAreArguments() {
        Map<String, Object> other = Examples.tree("draft-review");
        set(other, "/tasks/1/input_parameters/3", input("human_msg", "STRING", "system_generated"));
        set(other, "/tasks/1/input_parameters/3/required", true);
        set(other, "/tasks/1/when", "size(trigger.file_urls) == 0");
        WorkflowSignature signature =
                WorkflowSignature.of(DefinitionValidator.readStored(other).required());
        assertThat(get(signature.inputSchema(), "/properties/human_msg/type")).isEqualTo("string");
        assertThat(get(signature.inputSchema(), "/properties/file_urls/items/type"))
                .isEqualTo("string");
        assertThat(signature.inputSchema().get("required")).isEqualTo(List.of("draft", "human_msg"));
    }
}
