package dev.parley.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {
    private static final String CHAT = "a💬b💬c";

    @Test
    void noLengthSplitsASurrogatePair() {
        for (int length = 0; length <= CHAT.length() + 1; length++) {
            String start = Text.truncate(CHAT, length);
            assertThat(start.codePoints()).noneMatch(c -> Character.getType(c) == Character.SURROGATE);
            assertThat(CHAT).startsWith(start);
            assertThat(start.length()).isBetween(Math.min(length, CHAT.length()) - 1, length);
            if (length > 0) {
                assertThat(Text.ellipsis(CHAT, length)).hasSizeLessThanOrEqualTo(length);
            }
        }
    }

    @Test
    void onlyATruncatedTextHasTheMark() {
        assertThat(Text.truncate(CHAT, CHAT.length(), " …")).isEqualTo(CHAT);
        assertThat(Text.truncate(CHAT, 2, " …")).isEqualTo("a …");
        assertThat(Text.ellipsis(CHAT, CHAT.length())).isEqualTo(CHAT);
        assertThat(Text.ellipsis(CHAT, 4)).isEqualTo("a💬…");
    }
}
