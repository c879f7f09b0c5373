package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StrictJsonTest {
    enum Colour {
        RED,
        GREEN
    }

    record Ball(@Nullable Colour colour) {}

    private static Ball read(String json) {
        return StrictJson.read(json.getBytes(StandardCharsets.UTF_8), Ball.class);
    }

    private static List<Fault> faults(String json) {
        return catchThrowableOfType(Problem.class, () -> read(json)).faults();
    }

    @Test
    void aChoiceIsReadByItsName() {
        assertThat(read("{\"colour\": \"GREEN\"}").colour()).isEqualTo(Colour.GREEN);
    }

    @Test
    void anUnknownChoiceIsToldTheKnownOnes() {
        assertThat(faults("{\"colour\": \"BLUE\"}"))
                .containsExactly(new Fault(Fault.INVALID_VALUE, "/colour", "'/colour' must be one of RED, GREEN."));
    }

    @Test
    void aNumberIsNoChoice() {
        assertThat(faults("{\"colour\": 1}"))
                .containsExactly(new Fault(Fault.INVALID_TYPE, "/colour", "'/colour' must be a string."));
    }
}
