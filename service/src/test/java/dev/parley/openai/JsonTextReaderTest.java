package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextReaderTest {
    private static String read(String json, int pieceLength) {
        var reader = new JsonTextReader("answer");
        var text = new StringBuilder();
        for (int at = 0; at < json.length(); at += pieceLength) {
            String next = reader.add(json.substring(at, Math.min(json.length(), at + pieceLength)));
            assertThat(next.isEmpty() || !Character.isHighSurrogate(next.charAt(next.length() - 1)))
                    .as("whole characters")
                    .isTrue();
            text.append(next);
        }
        return text.toString();
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("{\"answer\":\"Hello\"}", "Hello"),
                Arguments.of(" \n{ \"answer\" : \"a\\\"b\\\\c\\/d\\n\\u0041\" , \"more\":\"x\"}", "a\"b\\c/d\nA"),
                Arguments.of("{\"answer\":\"\\ud83d\\ude00\uD83D\uDE00\"}", "\uD83D\uDE00\uD83D\uDE00"),
                Arguments.of("{\"answer\":\"a\\u0000b\\udc00\\ud83dc\"}", "ab\uFFFD\uFFFDc"),
                Arguments.of("```json\n{\"answer\": \"fenced\"}\n```", "fenced"),
                Arguments.of("{\"answer\":\"not yet compl", "not yet compl"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void textIsReadHoweverItIsSplit(String json, String text) {
        for (int length = 1; length <= json.length(); length++) {
            assertThat(read(json, length)).as("pieces of " + length).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Here it is: {\"answer\":\"x\"}",
                "{\"other\":\"x\",\"answer\":\"y\"}",
                "{\"answer\":7}",
                "{\"answers\":\"x\"}",
                "[\"answer\"]"
            })
    void otherTextsAreNotRead(String json) {
        assertThat(read(json, 1)).isEmpty();
        assertThat(read(json, json.length())).isEmpty();
    }

    @Test
    void invalidEscapeEndsTheText() {
        assertThat(read("{\"answer\":\"ab\\x cd\"}", 1)).isEqualTo("ab");
        assertThat(read("{\"answer\":\"ab\\uZZZZ cd\"}", 1)).isEqualTo("ab");
    }
}
