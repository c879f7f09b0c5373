package dev.parley.workflow.definition.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.JsonEdit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

/** Pins the sentences, the codes and the order of violations: clients show the sentences and decide by the codes. */
class ViolationTextsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/definition/violations.txt");

    /** Documents, or parts of an example, with several violations each. */
    private static final List<String> TASKS = List.of(
            "{}",
            "{'id': 'x', 'tools': 1, 'due_in_minutes': 'x', 'provider': 1, 'other': 1}",
            "{'id': 'x', 'kind': 'AI', 'name': 'n', 'instructions': 'i', 'tools': ['1', 0, 1, 1, 7], 'tool_id': 1,"
                    + " 'input_parameters': [], 'expected_output': []}",
            "{'id': 'x', 'kind': 'AI', 'tools': {}, 'due_in_minutes': 1}",
            "{'id': 'x', 'kind': 'Human', 'name': 3, 'due_in_minutes': 0, 'tools': [1]}",
            "{'id': 'x', 'kind': 'Human', 'due_in_minutes': '5', 'input_parameters': 1}",
            "{'id': 'x', 'kind': 'App', 'provider': ' ', 'tool_id': 1.5}",
            "{'id': 'x', 'kind': 'App', 'provider': 'x', 'tool_name': 'y', 'tool_id': 77}",
            "{'id': 'x', 'kind': 'App', 'name': 'n', 'instructions': 'i', 'provider': 'builtin', 'tool_name':"
                    + " 'http.request', 'tool_id': 1, 'input_parameters': [], 'expected_output': []}",
            "{'id': 'x', 'kind': 'Coder', 'code_artifact_id': true, 'tool_id': null}",
            "{'id': 'x', 'kind': 'AI', 'error_policy': 'X', 'input_parameters': [{}, 1,"
                    + " {'name': 'a', 'type': 'X', 'source': 1, 'required': 1, 'x': 1},"
                    + " {'name': 'a', 'type': 'ARRAY', 'items': {'type': 'OBJECT', 'x': 1}},"
                    + " {'name': 'b', 'type': 'OBJECT', 'properties': [{}, 1, {'name': 'c', 'x': 1},"
                    + " {'name': 'c', 'type': 'ARRAY', 'description': 'd'}]}],"
                    + " 'expected_output': [{}, 1, {'type': 'STRING', 'x': 1}, {'name': 'x\\n', 'type': 'PDF'}]}");

    private static final List<String> INPUTS = List.of(
            "{'filter': 1}",
            "{'filter': {}}",
            "{'filter': {'all': [], 'x': 1}}",
            "{'filter': {'any': 1, 'not': {}}}",
            "{'filter': {'not': {'any': [{}, 1]}}}",
            "{'filter': {'column': 1, 'op': 'like', 'value': 1}}",
            "{'filter': {'column': 'amount', 'op': '='}}",
            "{'filter': {'column': 'amount', 'op': '=', 'value': {}}}",
            "{'filter': {'column': 'amount', 'op': 'in', 'value': []}}",
            "{'filter': {'column': 'amount', 'op': 'is_null', 'value': 1}}",
            "{'filter': {'column': 'amount', 'op': '=', 'input': 1}}",
            "{'columns': 1, 'limit': 0}",
            "{'columns': ['amount', 'amount', 1, ' '], 'limit': 'x'}",
            "{'data_lake_id': 1, 'type': 'STRING'}",
            "{'data_lake_id': 'gone'}",
            "{'data_source': 'MEMORY', 'limit': 1}");

    @Test
    void everyViolationHasItsText() throws Exception {
        StringBuilder texts = new StringBuilder();
        Stream.of(
                        DefinitionValidatorTest.root(),
                        DefinitionValidatorTest.assignmentRules(),
                        DefinitionValidatorTest.tasks(),
                        DefinitionValidatorTest.taskKinds(),
                        DefinitionValidatorTest.inputParameters(),
                        DefinitionValidatorTest.arraysAndObjects(),
                        DefinitionValidatorTest.configuredValues(),
                        DefinitionValidatorTest.outputParameters(),
                        DefinitionValidatorTest.dataSources(),
                        DefinitionValidatorTest.connections(),
                        DefinitionValidatorTest.dependencies(),
                        DefinitionValidatorTest.systemValues())
                .flatMap(cases -> cases)
                .map(Arguments::get)
                .map(ViolationTextsTest::edited)
                .sorted()
                .forEach(texts::append);
        for (String task : TASKS) {
            Map<String, Object> tree = Examples.tree("one-task");
            JsonEdit.set(tree, "/tasks/0", json(task));
            texts.append(violations("one-task, task " + task, tree));
        }
        for (String input : INPUTS) {
            Map<String, Object> tree = Examples.tree("stock-forecast");
            ((Map<?, ?>) json(input))
                    .forEach((field, value) -> JsonEdit.set(tree, "/tasks/0/input_parameters/0/" + field, value));
            texts.append(violations("stock-forecast, input " + input, tree));
        }
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, texts);
        }
        assertThat(texts).hasToString(Files.readString(GOLDEN));
    }

    @SuppressWarnings("unchecked")
    private static String edited(Object[] oneMistake) {
        Map<String, Object> tree = Examples.tree((String) oneMistake[0]);
        ((Consumer<Object>) oneMistake[2]).accept(tree);
        return violations(oneMistake[0] + ", " + oneMistake[1], tree);
    }

    private static Object json(String text) {
        return StrictJson.readTrusted(text.replace('\'', '"'), Object.class);
    }

    private static String violations(String what, Map<String, Object> document) {
        StringBuilder text = new StringBuilder(printable(what)).append('\n');
        for (Violation one :
                DefinitionValidator.validate(document, Examples.KNOWN).errors()) {
            text.append("    %s %s: %s%n".formatted(one.kind(), one.path(), printable(one.detail())))
                    .append("        %s%s%n"
                            .formatted(one.code().text(), one.params().isEmpty() ? "" : " " + one.params()));
        }
        return text.toString();
    }

    private static String printable(String text) {
        return text.replace("\n", "\\n").replaceAll("\\p{Cntrl}", "?");
    }
}
