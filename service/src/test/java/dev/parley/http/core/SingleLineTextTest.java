package dev.parley.http.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SingleLineTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Acme & Söhne",
                "日本",
                "\u200fאבג 1",
                "می\u200cخواهم",
                "\uD83D\uDC69\u200D\uD83D\uDCBB",
                "a\u00a0b",
                "\uFFFD"
            })
    void namesInAnyWritingAreOneLine(String text) {
        assertThat(SingleLineText.is(text)).isTrue();
        assertThat(SingleLineText.of(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x85, 0x9F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069})
    void controlsLineBreaksAndBidiOverridesAreExcluded(int character) {
        String text = "a" + Character.toString(character) + "b";

        assertThat(SingleLineText.is(text)).isFalse();
        assertThat(SingleLineText.of(text)).isEqualTo("a b");
        assertThat(SingleLineText.within(text)).isEqualTo("ab");
    }
}
