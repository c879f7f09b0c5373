package dev.parley.workflow.task.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scan has the meaning of a pattern, without the time that the pattern's backtracking takes. */
class MarkdownFenceTest {
    private static final Pattern MEANING = Pattern.compile(
            "\\s*(`{3,}|~{3,})[ \\t]*([A-Za-z0-9_+#.-]{0,30})(?:[^\\n`]*\\n|[ \\t]*(?=\\{))(.*?)\\n?\\1\\s*",
            Pattern.DOTALL);

    private static final List<String> PARTS = List.of(
            "`",
            "``",
            "```",
            "````",
            "~",
            "~~",
            "~~~",
            "~~~~",
            " ",
            "\t",
            "\n",
            "\n",
            "\r\n",
            "{",
            "}",
            "x",
            "json",
            "Python 3",
            "a-language-that-is-much-longer-than-thirty-characters",
            "\u00a0");

    private static MarkdownFence meant(String text) {
        Matcher fenced = MEANING.matcher(text);
        return fenced.matches() && !fenced.group(3).contains("\n" + fenced.group(1))
                ? new MarkdownFence(fenced.group(2).toLowerCase(Locale.ROOT), fenced.group(3))
                : new MarkdownFence("", text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```json\n{}\n```",
                "```\nx\n`````",
                "````\n```\n````",
                "~~~~ x\ny\n~~~",
                "~~~~\nx\n~~~~~",
                "```json {\"a\": 1}```",
                "~~~ {x~~~\n",
                "~~~{\n~~~",
                "```a\n```",
                "```\n\n\n```",
                "``````",
                "```\n```\n```",
                "```a`b\nx\n```",
                "\u00a0```\nx\n```",
            })
    void aTextMeansTheSameAsByThePattern(String text) {
        assertThat(MarkdownFence.open(text)).isEqualTo(meant(text));
    }

    @Test
    void randomTextsMeanTheSameAsByThePattern() {
        var random = new Random(30);
        int fenced = 0;
        for (int i = 0; i < 300_000; i++) {
            var text = new StringBuilder(i % 2 == 0 ? "" : i % 4 == 1 ? "```" : "~~~~");
            for (int parts = random.nextInt(9); parts > 0; parts--) {
                text.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            MarkdownFence opened = MarkdownFence.open(text.toString());
            assertThat(opened).as("%s", text).isEqualTo(meant(text.toString()));
            fenced += opened.text().contentEquals(text) ? 0 : 1;
        }
        assertThat(fenced).isGreaterThan(5_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "`", "~", " ", "\n", "`\n", "~\n", "~ ", "```\n", "~~~{", "`{", "~~~~ \t", "\n```", "{", "a", "#~~~\n"
            })
    void aLongTextTakesTimeInProportionToItsLength(String part) {
        String repeated = part.repeat(1_000_001 / part.length());
        assertThat(CpuTime.of(() -> {
                    for (String start : List.of("", "`", "~", "```", "~~~", "```{", "~~~ x\n", "~".repeat(500_000))) {
                        for (String end : List.of("", "x", "```", "~~~", "\n", "~".repeat(250_000))) {
                            MarkdownFence.open(start + repeated + end);
                        }
                    }
                }))
                .isLessThan(Duration.ofSeconds(20));
    }
}
