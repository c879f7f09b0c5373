package dev.parley.workflow.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.check.DefinitionValidator;
import dev.parley.workflow.definition.core.check.ValidationResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
    static List<String> names() {
        return Examples.names();
    }

    @Test
    void thereAreAtLeastEight() {
        assertThat(names()).hasSizeGreaterThanOrEqualTo(8).contains("one-task", "ten-tasks", "invoice-approval");
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyExampleIsValid(String name) {
        ValidationResult validation = DefinitionValidator.validate(Examples.tree(name), Examples.KNOWN);

        assertThat(validation.errors()).isEmpty();
        assertThat(validation.valid()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theReadmeListsEveryExample(String name) throws Exception {
        assertThat(Files.readString(Path.of("../examples/README.md"))).contains("(" + name + ".json)");
    }
}
