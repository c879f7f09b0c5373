package dev.parley.llm.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import dev.parley.llm.dialect.EndpointDialect.RequestTraits;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointDialectTest {
    private static final RequestTraits SCHEMA = new RequestTraits("a", "", false, true, Set.of(), Map.of());
    private static final RequestTraits LOOP =
            new RequestTraits("a", "b", true, true, Set.of("reasoning_content", "extra_content"), Map.of());

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final EndpointDialect dialect = new EndpointDialect(() -> now);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "400 | This response_format type is unavailable now | JSON_OBJECT",
                "422 | response_format: response_format.type `json_schema` is unavailable now at line 1 | JSON_OBJECT",
                "400 | 'response_format.type' must be 'json_object' or 'text' | JSON_OBJECT",
                "400 | json mode cannot be combined with tool/function calling | JSON_OBJECT",
                "400 | Function calling with a response mime type: 'application/json' is unsupported | JSON_OBJECT",
                "404 | No endpoints found that can handle the requested parameters. | JSON_OBJECT",
                "500 | Failed to compile the grammar | JSON_OBJECT",
                "501 | json_schema is not implemented | JSON_OBJECT",
                "400 | Bad Request | JSON_OBJECT",
                "422 | \"\" | JSON_OBJECT",
                "400 | Extra inputs are not permitted: response_format.json_schema.strict | NO_STRICT",
                "400 | 'messages.1' : property 'reasoning_content' is unsupported | NO_EXTRA_MEMBERS",
                "422 | messages.2.extra_content: Extra inputs are not permitted | NO_EXTRA_MEMBERS",
                "400 | Unknown name exclusiveMinimum at 'tools[0].function_declarations[6].parameters' | PLAIN_TOOL_SCHEMAS",
                "400 | Invalid schema for function 'look': 'format' is not permitted | PLAIN_TOOL_SCHEMAS",
                "400 | System role not supported | NO_SYSTEM_ROLE",
                "400 | Conversation roles must alternate user/assistant/user/assistant/... | NO_SYSTEM_ROLE",
                "500 | Only user and assistant roles are supported! | NO_SYSTEM_ROLE",
                "400 | Tool call id was call_0fypS1hVX but must be a-z, A-Z, 0-9, with a length of 9 | SHORT_CALL_IDS",
                "400 | The `reasoning_content` in the thinking mode must be passed back to the API. | REASONING_MEMBER",
                "400 | Missing `reasoning_content` field in the assistant message at message index 2. | REASONING_MEMBER",
                "400 | invalid message content type: <nil> | EMPTY_CONTENT",
                "400 | Invalid 'content' field | EMPTY_CONTENT",
                "400 | Unrecognized request argument supplied: 'stream' | WHOLE_REPLY",
                "422 | Failed to deserialize: messages[1]: missing field `content` | EMPTY_CONTENT",
                "400 | messages.2.content: Input should be a valid string, input: null | EMPTY_CONTENT",
            })
    void aRefusedPartIsLeftOut(int status, String text, Adaptation adaptation) {
        assertThat(dialect.next(status, text, LOOP, Set.of())).contains(adaptation);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "401 | response_format is not allowed for this key",
                "429 | response_format: rate limit reached",
                "500 | Internal server error",
                "503 | overloaded",
                "400 | This model's maximum context length is 8192 tokens",
                "400 | The prompt triggered the content management policy: content_filter",
                "402 | Insufficient balance",
                "404 | The model `x` does not exist",
            })
    void otherRefusalsAreFinal(int status, String text) {
        assertThat(dialect.next(status, text, LOOP, Set.of())).isEmpty();
    }

    @Test
    void theFormatIsGivenUpStepByStep() {
        assertThat(dialect.next(400, "response_format", SCHEMA, Set.of())).contains(Adaptation.JSON_OBJECT);
        assertThat(dialect.next(400, "response_format", SCHEMA, Set.of(Adaptation.JSON_OBJECT)))
                .contains(Adaptation.PROMPT_ONLY);
        Set<Adaptation> formats = Set.of(Adaptation.JSON_OBJECT, Adaptation.PROMPT_ONLY);
        assertThat(dialect.next(400, "response_format", SCHEMA, formats)).contains(Adaptation.WHOLE_REPLY);
        Set<Adaptation> all = Set.of(Adaptation.JSON_OBJECT, Adaptation.PROMPT_ONLY, Adaptation.WHOLE_REPLY);
        assertThat(dialect.next(400, "response_format", SCHEMA, all)).isEmpty();
    }

    @Test
    void whatHelpedIsRememberedForAnHour() {
        dialect.accepted(SCHEMA, Set.of(Adaptation.JSON_OBJECT));
        assertThat(dialect.adaptations(SCHEMA)).containsExactly(Adaptation.JSON_OBJECT);
        now = now.plus(EndpointDialect.MEMORY);
        assertThat(dialect.adaptations(SCHEMA)).isEmpty();
    }

    @Test
    void whatDoesNotHelpAnyMoreIsForgotten() {
        dialect.accepted(SCHEMA, Set.of(Adaptation.JSON_OBJECT));
        dialect.refused(SCHEMA, Set.of(Adaptation.JSON_OBJECT, Adaptation.PROMPT_ONLY));
        assertThat(dialect.adaptations(SCHEMA)).isEmpty();
    }

    @Test
    void aFormatRefusedBesideToolsIsSentWithoutThem() {
        dialect.accepted(LOOP, Set.of(Adaptation.JSON_OBJECT, Adaptation.NO_SYSTEM_ROLE));
        assertThat(dialect.adaptations(LOOP)).containsExactly(Adaptation.JSON_OBJECT, Adaptation.NO_SYSTEM_ROLE);
        assertThat(dialect.adaptations(SCHEMA)).containsExactly(Adaptation.NO_SYSTEM_ROLE);
    }

    @Test
    void whatOneRequestTeachesHoldsForItsPartsOnly() {
        dialect.accepted(LOOP, Set.of(Adaptation.values()));
        assertThat(dialect.adaptations(LOOP)).containsExactly(Adaptation.values());

        var others = new RequestTraits("other", "other", true, true, Set.of("other"), Map.of());
        assertThat(dialect.adaptations(others))
                .doesNotContain(
                        Adaptation.PLAIN_TOOL_SCHEMAS,
                        Adaptation.NO_STRICT,
                        Adaptation.JSON_OBJECT,
                        Adaptation.PROMPT_ONLY,
                        Adaptation.NO_EXTRA_MEMBERS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Failed to validate JSON. See 'failed_generation'. code: json_validate_failed | JSON_OBJECT",
                "json_validate_failed, failed_generation: reasoning_content is required | JSON_OBJECT",
                "Failed to call a function. code: tool_use_failed, failed_generation: <function=look> | ",
                "Parsing failed. code: output_parse_failed response_format | ",
            })
    void anAnswerThatIsRefusedSaysNothingAboutTheEndpoint(String text, @Nullable Adaptation adaptation) {
        assertThat(EndpointDialect.isFailedAnswer(text)).isTrue();
        assertThat(dialect.next(400, text, LOOP, Set.of())).isEqualTo(Optional.ofNullable(adaptation));
    }
}
