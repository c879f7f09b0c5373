package dev.parley.llm.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.CpuTime;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelContract;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfflineChatModelTest extends ChatModelContract {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final List<Duration> slept = new ArrayList<>();
    private final ChatModel quick = new OfflineChatModel(() -> NOW, slept::add);

    @Override
    protected ChatModel answering() {
        return new OfflineChatModel();
    }

    @Override
    protected String failing() {
        return "offline:fail The disk is full.";
    }

    @Override
    protected String unavailable() {
        return "offline:unavailable";
    }

    @Override
    protected String slow() {
        return "offline:wait 600000";
    }

    private Object answer(String type, Map<String, @Nullable Object> inputs, String said) throws Exception {
        Map<String, Object> property =
                type.equals("date-time") ? Map.of("type", "string", "format", "date-time") : Map.of("type", type);
        Map<String, Object> schema = Map.of("type", "object", "properties", Map.of("x", property));
        ChatReply reply = quick.reply(
                ChatRequest.text("Do it 7 times.", said.isEmpty() ? List.of() : List.of(ChatTurn.user(said)), LONG)
                        .withInputs(inputs)
                        .withSchema(schema));
        return new ObjectMapper().readTree(reply.text()).get("x").asText();
    }

    @Test
    void everyReplySaysThatItIsTheOfflineModelAndHowToSetARealOne() throws Exception {
        assertThat(quick.reply(saying("Good morning")).text())
                .startsWith("Offline model")
                .contains("\"Good morning\"", "PARLEY_LLM_BASE_URL", "PARLEY_LLM_API_KEY", "PARLEY_LLM_MODEL");
    }

    @Test
    void aLongTextIsQuotedInShortWithoutCuttingACharacter() throws Exception {
        assertThat(quick.reply(saying("👋".repeat(1000))).text()).contains("\"" + "👋".repeat(200) + "…\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "integer   | Invoice 2024 over 119.50 EUR       | 2024",
                "integer   | nothing                            | 0",
                "integer   | only 1.5 here                      | 0",
                "integer   | order A12, id 7f3, v1.2.3, then 42 | 42",
                "integer   | it is -5 degrees                   | -5",
                "integer   | from 3-4 of them                   | 3",
                "integer   | 12,345,678 people.                 | 12345678",
                "integer   | 1,2,3                              | 1",
                "integer   | 123456789012345678901234567890     | 123456789012345678901234567890",
                "number    | Invoice 2024 over 119.50 EUR       | 119.5",
                "number    | Total: $1,234.50.                  | 1234.5",
                "number    | just 12                            | 12.0",
                "number    | nothing                            | 0.0",
                "boolean   | Please approve                     | true",
                "boolean   | No, thanks                         | false",
                "boolean   | this is NOT right                  | false",
                "boolean   | nobody knows the notes             | true",
                "boolean   | rejected                           | false",
                "date-time | at 2026-03-01T10:00:00+01:00.      | 2026-03-01T09:00:00.000Z",
                "date-time | due 2026-03-01, please             | 2026-03-01T00:00:00.000Z",
                "date-time | on 2026-99-99 or 2026-05-06         | 2026-05-06T00:00:00.000Z",
                "date-time | sometime                           | 2026-01-02T03:04:05.000Z",
                "string    | Hello there                        | Offline model: Hello there",
            })
    void aValueIsFoundInTheTextByItsType(String type, String text, String expected) throws Exception {
        Object found = answer(type, Map.of(), text);
        if (type.equals("number")) {
            assertThat(Double.parseDouble(String.valueOf(found))).isEqualTo(Double.parseDouble(expected));
        } else {
            assertThat(found).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "string, abc, abc",
        "integer, 12, 12",
        "integer, 12.0, 12",
        "integer, twelve 13, 13",
        "number, 1.25, 1.25",
        "boolean, false, false",
        "boolean, true, true",
        "date-time, 2026-03-01T00:00:00Z, 2026-03-01T00:00:00.000Z"
    })
    void anInputOfTheSameNameAndTypeIsCopied(String type, String input, String expected) throws Exception {
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>();
        inputs.put("first", "The number is 99, and no.");
        inputs.put("x", input);
        if (input.startsWith("twelve")) {
            inputs.remove("first");
        }
        assertThat(answer(type, inputs, "")).isEqualTo(expected);
    }

    @Test
    void typedInputsAreCopiedAsTheyAre() throws Exception {
        assertThat(answer("integer", Map.of("x", 9007199254740993L), "5")).isEqualTo("9007199254740993");
        assertThat(answer("boolean", Map.of("x", false), "yes")).isEqualTo("false");
        assertThat(answer("integer", Map.of("x", 1.5), "5")).isEqualTo("5");
        assertThat(answer("integer", Map.of("x", Double.NaN), "5")).isEqualTo("5");
        assertThat(answer("integer", Map.of("x", "1e999999999"), "5")).isEqualTo("5");
    }

    @Test
    void inputsPrecedeTheMessagesOfTheUser() throws Exception {
        assertThat(answer("integer", Map.of("note", "three is 3"), "four is 4")).isEqualTo("3");
        assertThat(answer("date-time", Map.of("current_time", "2030-01-01T00:00:00Z"), "sometime"))
                .isEqualTo("2030-01-01T00:00:00.000Z");
        assertThat(answer("string", Map.of(), "")).isEqualTo("Offline model: Do it 7 times.");
    }

    @Test
    void theSameRequestGetsTheSameAnswer() throws Exception {
        ChatRequest request = saying("Take 5.").withSchema(schema());
        assertThat(quick.reply(request)).isEqualTo(quick.reply(request));
    }

    @Test
    void theSentenceOfAFailureIsTheOneGiven() {
        assertThatThrownBy(() -> quick.reply(saying(failing()))).hasMessage("The disk is full.");
        assertThatThrownBy(() -> quick.reply(saying("").withInputs(Map.of("a", failing()))))
                .hasMessage("The disk is full.");
    }

    @Test
    void waitsTheRequestedTimeThenAnswers() throws Exception {
        assertThat(quick.reply(saying("offline:wait 1500")).text()).startsWith("Offline model");
        assertThat(slept).containsExactly(Duration.ofMillis(1500));
    }

    @Test
    void writesItsAnswerWordByWord() throws Exception {
        List<String> pieces = new ArrayList<>();
        ChatReply reply = quick.reply(saying("Hello there"), pieces::add);
        assertThat(pieces).hasSizeGreaterThan(10).startsWith("Offline ", "model ");
        assertThat(String.join("", pieces)).isEqualTo(reply.text());
        assertThat(slept).isEmpty();
        pieces.clear();
        reply = quick.reply(saying("offline:stream 200\nHello"), pieces::add);
        assertThat(String.join("", pieces)).isEqualTo(reply.text());
        assertThat(slept).hasSameSizeAs(pieces).containsOnly(Duration.ofMillis(200));
    }

    @Test
    void aStreamEndsAtItsDeadline() {
        List<String> pieces = new ArrayList<>();
        ChatRequest request = ChatRequest.text("", List.of(ChatTurn.user("offline:stream 300")), Duration.ofSeconds(1));
        assertThatThrownBy(() -> quick.reply(request, pieces::add)).hasMessageContaining("in time");
        assertThat(pieces).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "offline:stream",
                "offline:stream soon",
                "offline:wait",
                "offline:wait 600001",
                "offline:wait -1",
                "offline:wait soon"
            })
    void anInvalidWaitIsReported(String said) {
        assertThatThrownBy(() -> quick.reply(saying(said))).hasMessageContaining("600000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"offline:", "offline:mode", "I am offline:fail", "offline"})
    void otherTextIsNoDirective(String said) throws Exception {
        assertThat(quick.reply(saying(said)).text()).contains(said);
        assertThat(slept).isEmpty();
    }

    @Test
    void itIsCheapOnLongTextsToo() throws Exception {
        ChatRequest request = saying("12-".repeat(80_000)).withSchema(schema());
        quick.reply(request);
        assertThat(CpuTime.of(() -> {
                    for (int i = 0; i < 20; i++) {
                        quick.reply(request);
                    }
                }))
                .isLessThan(Duration.ofSeconds(2));
    }
}
