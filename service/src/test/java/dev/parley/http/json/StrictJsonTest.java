package dev.parley.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    enum Colour {
        RED,
        GREEN
    }

    record Ball(@Nullable Colour colour) {}

    private static Ball read(String json) {
        return StrictJson.read(json.getBytes(StandardCharsets.UTF_8), Ball.class);
    }

    private static List<Violation> violations(String json) {
        return catchThrowableOfType(ApiProblem.class, () -> read(json)).faults();
    }

    @Test
    void aChoiceIsReadByItsName() {
        assertThat(read("{\"colour\": \"GREEN\"}").colour()).isEqualTo(Colour.GREEN);
    }

    @Test
    void anUnknownEnumValueListsTheAllowedOnes() {
        assertThat(violations("{\"colour\": \"BLUE\"}"))
                .containsExactly(
                        Violation.invalid(ViolationCode.NOT_ONE_OF, "/colour", "'/colour' must be one of RED, GREEN.")
                                .with("allowed", List.of("RED", "GREEN")));
    }

    @Test
    void numbersOfAnObjectStayExactInBothDirections() {
        String json = "{\"n\":[3,9007199254740993,123456789012345678901234567890,0.1,12.50]}";

        assertThat(StrictJson.readObject(json))
                .containsEntry(
                        "n",
                        List.of(
                                3,
                                9007199254740993L,
                                new BigInteger("123456789012345678901234567890"),
                                new BigDecimal("0.1"),
                                new BigDecimal("12.50")));
        assertThat(StrictJson.write(StrictJson.readObject(json))).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{} {}"})
    void anObjectWithADuplicateMemberOrTextAfterItIsRefused(String json) {
        assertThatThrownBy(() -> StrictJson.readObject(json)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aNumberIsNoChoice() {
        assertThat(violations("{\"colour\": 1}"))
                .containsExactly(new Violation(
                                Violation.INVALID_TYPE,
                                ViolationCode.WRONG_TYPE,
                                "/colour",
                                "'/colour' must be a string.")
                        .with("expected", "string"));
    }

    record Mention(@Nullable UserId user, @Nullable List<UserId> others) {}

    @Test
    void whatIsNoIdIsNamed() {
        String json = """
                {"user": {"~/": 1}, "others": ["7", "0192f0c1-a2b3-7c4d-8e5f-60718293a4b5", 7]}""";
        ApiProblem problem = catchThrowableOfType(
                ApiProblem.class, () -> StrictJson.read(json.getBytes(StandardCharsets.UTF_8), Mention.class));
        assertThat(problem.faults())
                .extracting(violation -> violation.kind() + " " + violation.path())
                .containsExactly("Invalid Value /others/0", "Invalid Type /others/2", "Invalid Type /user");
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
        ApiProblem problem = catchThrowableOfType(
                ApiProblem.class, () -> StrictJson.read(json.getBytes(StandardCharsets.UTF_8), Box.class));
        assertThat(problem.faults())
                .extracting(violation -> violation.kind() + " " + violation.path())
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
        assertThat(violations("{" + fields + "}")).hasSize(100);
    }

    record Note(@Nullable Map<String, Object> metadata) {}

    private static Note note(byte[] json) {
        return StrictJson.read(json, Note.class);
    }

    private static ApiProblem refusal(byte[] json) {
        return catchThrowableOfType(ApiProblem.class, () -> note(json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud83d\\ude0d", "\\uD83D\\uDE0D", "😍", "a\\ud83d\\ude0db", "\\u00e9😍\\ud83d\\ude0d"})
    void aPairOfSurrogatesIsACharacterHoweverItIsWritten(String text) {
        String read = text.replace("\\ud83d\\ude0d", "😍")
                .replace("\\uD83D\\uDE0D", "😍")
                .replace("\\u00e9", "é");

        assertThat(note(utf8("{\"metadata\":{\"" + text + "\":{\"" + text + "\":\"" + text + "\"}}}"))
                        .metadata())
                .isEqualTo(Map.of(read, Map.of(read, read)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud83d", "\\ude0d", "\\ude0d\\ud83d", "\\ud83dx", "\\ud83d\\ud83d\\ude0d", "x\\ude0d"})
    void anUnpairedSurrogateIsRefusedInKeysAndValues(String text) {
        for (String metadata :
                List.of("{\"" + text + "\":1}", "{\"a\":\"" + text + "\"}", "{\"a\":[{\"" + text + "\":1}]}")) {
            assertThat(refusal(utf8("{\"metadata\":" + metadata + "}")).kind().status())
                    .as(metadata)
                    .isEqualTo(400);
        }
    }

    @Test
    void onlyUtf8IsRead() {
        byte[] overlong = {'{', '"', 'm', (byte) 0xC1, (byte) 0xA1, '"', ':', '1', '}'};
        byte[] surrogates = {
            '{', '"', (byte) 0xED, (byte) 0xA0, (byte) 0xBD, (byte) 0xED, (byte) 0xB8, (byte) 0x8D, '"', ':', '1', '}'
        };
        byte[] latin = "{\"metadata\":{\"é\":1}}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] cut = {'{', '}', (byte) 0xC3};
        for (byte[] body : List.of(overlong, surrogates, latin, cut)) {
            assertThat(refusal(body)).hasMessageContaining("not valid UTF-8");
        }
        for (Charset other : List.of(
                StandardCharsets.UTF_16,
                StandardCharsets.UTF_16BE,
                StandardCharsets.UTF_16LE,
                Charset.forName("UTF-32"),
                Charset.forName("UTF-32LE"))) {
            assertThat(refusal("{\"metadata\":{}}".getBytes(other)).kind())
                    .as(other.name())
                    .isEqualTo(ProblemKind.INVALID_JSON);
        }
    }

    @Test
    void aByteOrderMarkIsSkippedAtTheBeginningOnly() {
        assertThat(note(utf8("\uFEFF{\"metadata\":{\"\uFEFFa\":1}}")).metadata())
                .containsOnlyKeys("\uFEFFa");
        assertThat(note(utf8("\uFEFF")).metadata()).isNull();
        assertThat(refusal(utf8("\uFEFF\uFEFF{}")).kind()).isEqualTo(ProblemKind.INVALID_JSON);
        assertThat(refusal(utf8("{}\uFEFF")).kind()).isEqualTo(ProblemKind.INVALID_JSON);
        assertThat(refusal(utf8("\u2003")).kind()).isEqualTo(ProblemKind.INVALID_JSON);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void partsAreCountedOutsideOfTexts() {
        String json = "{\"a,[{\\\"\": [1, 2, {}]}";
        assertThat(StrictJson.parts(json.length(), json::charAt)).isEqualTo(5);
    }
}
