package dev.parley.workflow.definition.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OutputTypeTest {
    static Stream<Arguments> everyPair() {
        return Arrays.stream(OutputType.values())
                .flatMap(output -> Arrays.stream(ValueType.values()).map(input -> Arguments.of(output, input)));
    }

    @ParameterizedTest
    @MethodSource("everyPair")
    void connectsTheDocumentedPairsOfTypes(OutputType output, ValueType input) {
        boolean expected =
                switch (output + " → " + input) {
                    case "STRING → STRING", "DATETIME → STRING" -> true;
                    case "INTEGER → INTEGER", "INTEGER → FLOAT", "FLOAT → FLOAT", "BOOLEAN → BOOLEAN" -> true;
                    default -> output.isFile() && input == ValueType.STRING;
                };

        assertThat(output.fits(input)).isEqualTo(expected);
    }
}
