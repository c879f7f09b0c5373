package dev.parley.workflow.definition.core.check;

import static dev.parley.workflow.definition.JsonEdit.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.value.OutputParameter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamesInDefinitionsTest {
    @Test
    void namesAreOneLineAndThoseThatWereStoredBeforeStayReadable() {
        Map<String, Object> tree = Examples.tree("currency-report");
        set(tree, "/name", "Currency\u0007 report");
        set(tree, "/tasks/1/name", "a\nb");
        set(tree, "/tasks/1/instructions", "Several\nlines\tare good here.");

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .extracting(Violation::kind, Violation::path)
                .containsExactly(tuple("Invalid Type", "/name"), tuple("Invalid Type", "/tasks/1/name"));
        assertThat(DefinitionValidator.readStored(tree).required().name()).isEqualTo("Currency\u0007 report");
    }

    @Test
    void lengthsAreCountedInCodePoints() {
        String maxLength = "\uD83D\uDE00".repeat(DefinitionLimits.NAME);
        String input = "/tasks/0/input_parameters/0";
        Map<String, Object> tree = Examples.tree("stock-forecast");
        set(tree, "/name", maxLength);
        set(tree, input + "/columns", List.of(maxLength));
        set(tree, input + "/filter", Map.of("column", maxLength, "op", "=", "value", maxLength.repeat(50)));

        assertThat(DefinitionValidator.readStored(tree).errors()).isEmpty();
        set(tree, input + "/columns", List.of(maxLength + "x"));
        assertThat(DefinitionValidator.readStored(tree).errors())
                .extracting(Violation::path)
                .containsExactly(input + "/columns/0");
    }

    @Test
    void furtherFileOutputsWithoutANameGetNamesThatNoOtherHas() {
        Map<String, Object> tree = Examples.tree("one-task");
        Map<String, Object> nameless = Map.of("type", "PDF", "description", "A file");
        set(
                tree,
                "/tasks/0/expected_output",
                List.of(
                        nameless,
                        Map.of("name", "file", "type", "STRING", "description", "A text"),
                        nameless,
                        nameless,
                        Map.of("name", "file_3", "type", "CSV", "description", "A file")));

        WorkflowDefinition definition =
                DefinitionValidator.validate(tree, Examples.KNOWN).required();

        assertThat(definition.tasks().getFirst().expectedOutput())
                .extracting(OutputParameter::name)
                .containsExactly("file_2", "file", "file_4", "file_5", "file_3");
    }
}
