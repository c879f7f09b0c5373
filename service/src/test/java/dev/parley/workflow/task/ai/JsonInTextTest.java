package dev.parley.workflow.task.ai;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonInTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"total\": \"}7{\"}",
                "Here it is: {\"total\": \"}7{\"} I hope it helps.",
                "Sure!\n```json\n{\"total\": \"}7{\"}\n```\nAnything else?",
                "Use {name} or {} like `{\"total\": \"}7{\"}`",
                "[{\"total\": \"}7{\"}]",
                "It's \"quoted\" {\"total\": \"}7{\"}<|im_end|>",
                "{\"total\": \"}7{\"}{\"total\": \"}7{\"}",
            })
    void findsTheObject(String text) {
        assertThat(JsonInText.objects(text)).contains(Map.of("total", "}7{")).allMatch(one -> one.size() <= 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no braces",
                "{name}",
                "[7]",
                "{\"a\": {\"total\": 7}",
                "{\"a\": 'x', \"b\": {\"total\": 7}}",
                "{\"total\": 7, \"total\": 8}",
                "{\"total\": 7} and {\"cut\": ",
            })
    void aPartOfACutOrMalformedObjectIsNotFound(String text) {
        assertThat(JsonInText.objects(text)).isEmpty();
    }

    @Test
    void takesLinearTime() {
        for (String part : new String[] {"{", "{\"", "{\"a\":", "{ ", "{}", "{\"a\":1}", "{\"a\":[", "{\"\\\""}) {
            String text = part.repeat(2_000_000 / part.length());
            Assertions.assertTimeout(Duration.ofMinutes(1), () -> JsonInText.objects(text));
        }
    }
}
