package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    record Box(
            @Nullable String name,
            @Nullable Integer size,
            @Nullable List<Ball> balls,
            @Nullable Map<String, Ball> byName,
            @Nullable Map<String, Object> metadata) {}

    @Test
    void everyFieldThatDoesNotFitIsReportedSortedByPath() {
        String json = """
                {"size": "1", "name": 2, "metadata": [], "a~/b": 1, "balls": [{"colour": 1}, 5, {"colour": "RED"},
                 {"colour": "BLUE", "x": 1}], "by_name": {"a/b": {"colour": true}}}""";
        Problem problem = catchThrowableOfType(
                Problem.class, () -> StrictJson.read(json.getBytes(StandardCharsets.UTF_8), Box.class));
        assertThat(problem.faults())
                .extracting(fault -> fault.kind() + " " + fault.path())
                .containsExactly(
                        "Unknown Field /a~0~1b",
                        "Invalid Type /balls/0/colour",
                        "Invalid Type /balls/1",
                        "Invalid Value /balls/3/colour",
                        "Unknown Field /balls/3/x",
                        "Invalid Type /by_name/a~1b/colour",
                        "Invalid Type /metadata",
                        "Invalid Type /name",
                        "Invalid Type /size");
    }

    @Test
    void aBodyOfUnknownFieldsAloneGetsAnAnswerOfBoundedSize() {
        String fields =
                IntStream.range(0, 50_000).mapToObj(i -> "\"f" + i + "\":1").collect(Collectors.joining(","));
        assertThat(faults("{" + fields + "}")).hasSize(100);
    }
}
