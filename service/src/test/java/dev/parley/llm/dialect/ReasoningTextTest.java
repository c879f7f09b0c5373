package dev.parley.llm.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReasoningTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<think>Hmm, 6 or 7.</think>The answer",
                "\n<think>\nHmm.\n</think>\n\nThe answer",
                "<THINK>Hmm.</THINK> The answer",
                "<think>\n\n</think>\n\nThe answer",
                "<think>a</think>\n<think>b</think>\nThe answer",
                "<think>a <think>b</think> c</think>The answer",
                "<think>He mentions the <think> tag.</think>The answer",
                "<think>He wrote </think> in the text.\n</think>\nThe answer",
                "<thinking>Hmm.</thinking>The answer",
                "<reasoning>Hmm.</reasoning>The answer",
                "<thought>Hmm.</thought>The answer",
                "<seed:think>Hmm.</seed:think>The answer",
                "◁think▷Hmm.◁/think▷The answer",
                "[THINK]Hmm.[/THINK]The answer",
                "<|begin_of_thought|>Hmm.<|end_of_thought|>The answer",
                "Hmm, 6 or 7.\n</think>\n\nThe answer",
                "Hmm, 6 or 7.</think>The answer",
                "Hmm, so 7 </think>\n\nThe answer",
                "He asks about `</think>` tags.\n</think>\nThe answer",
                "First:\n```\ncode\n```\nDone.</think>The answer",
                "</think>The answer",
                "so it is 7 </think> The answer",
                "</think> The answer",
                "◁/think▷The answer",
                "<|channel|>analysis<|message|>Hmm.<|end|><|start|>assistant<|channel|>final<|message|>The answer",
                "<|channel|>final<|message|>The answer<|return|>",
                "analysisWe need 7.assistantfinalThe answer",
                "\uFEFF<think>Hmm.</think>The answer",
                "<think time=\"3\">Hmm.</think>The answer",
                "<thinking signature='a/b'>Hmm.</thinking >The answer",
                "<Think\n>Hmm.</THINK>The answer",
                "<think/>The answer",
                "<think></think>The answer",
                "<think></think><think>Hmm.</think>The answer",
                "<think>\n<think>\nHmm.\n</think>\nThe answer",
                "<think>Hmm: {\"tag\": \"a</think>b\"}.</think>The answer",
                "<think>Code:\n```\n</think>\n```\nDone.\n</think>\nThe answer",
                "<think>I say 'seven'</think>The answer",
                "<mm:think>Hmm.</mm:think>The answer",
                "<REASONING_SCRATCHPAD>Hmm.</REASONING_SCRATCHPAD>The answer",
                "<|START_THINKING|>Hmm.<|END_THINKING|>The answer",
                "<|channel>thought\nHmm.<channel|>The answer",
                "<|channel>thought\n<channel|>The answer",
                "Hmm.\n<channel|>The answer",
                "{maybe} it is 7.</think>The answer",
                "[maybe] it is 7.\n</think>\nThe answer",
                "{\"total\": 6}? No, 7.</think>The answer",
                "He asks about the <think> tag.\n</think>\nThe answer",
                "It is \"7\"</think>The answer",
                "Hmm.[/THINK]The answer",
                "<|channel|>analysis<|message|>Hmm.<|channel|>final<|message|>The answer",
                "<|channel|>commentary<|message|>Hmm.<|end|><|start|>assistant<|channel|>final <|constrain|>JSON<|message|>The answer",
                "analysis<|message|>Hmm.<|end|><|start|>assistant<|channel|>final<|message|>The answer<|end|>",
                "Hmm.<|end|><|start|>assistant<|channel|>final<|message|>The answer",
                "assistantfinalThe answer",
                "<|channel|>analysis<|message|>Hmm.<|end|><|start|>assistant<|message|>The answer",
                "<think>Hmm.</think>\n\n</think>\n\nThe answer",
                "{\"plan\": 1}\n</think>\nThe answer",
            })
    void reasoningBeforeTheAnswerIsRemoved(String text) {
        assertThat(ReasoningText.answer(text)).isEqualTo("The answer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The answer",
                "",
                "The `<think>` tag opens and `</think>` closes the reasoning.",
                "Models write <think>like this</think> before they answer.",
                "Reasoning ends with </think>.",
                "Reasoning ends with </think>",
                "Reasoning ends with </think> and the answer follows.",
                "Use \"</think>\" at the end.",
                "Here:\n```html\n<think>\nx\n</think>\n```\nDone.",
                "{\"html\": \"a</think>b\"}",
                "{\"text\": \"<think>x</think>\"}",
                "[\"a</think>b\"]",
                "I think <b>therefore</b> I am.",
                "The analysis is done; the assistant finally left.",
                "`<think>` is a tag of models.",
                "x < y and <thinker>",
                "First.\n<think>\nHmm.\n</think>\nSecond.",
                "Because:\n<reasoning>\nIt is odd.\n</reasoning>\nSo 7.",
                "Because:\n<reasoning step=\"1\">\nIt is odd.\n</reasoning>\nSo 7.",
                "# Prompt\n\n<thinking>\n\n</thinking>\n\n<answer>",
                "Write:\n~~~\n</think>\n~~~\nDone.",
                "Write:\n````\n```\n</think>\n```\n````\nDone.",
                "Split at `a</think>b`.",
                "Here: {\"html\": \"a</think>b\"} as you asked.",
                "text.split(\"</think>\") and text.split('</think>')",
                "Bold **</think>** and \u201c</think> in quotes\u201d.",
                "| Tag | Meaning |\n| </think> | ends it |",
                "analysisResult is a variable.",
                "Write `<|start|>assistant<|channel|>final<|message|>` first.",
            })
    void anAnswerStaysAsItIs(String text) {
        assertThat(ReasoningText.answer(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<think>Hmm, cut",
                "<think>",
                "<think>a</think>",
                "Hmm.\n</think>",
                "<|channel|>analysis<|message|>Hmm.",
                "<think>a</think><think>cut",
                "<think>a\n</thinking>b",
                "<|channel>thought\nHmm.",
                "analysisWe need 7.",
                "Hmm, so 7. </think>",
            })
    void withoutAnAnswerNothingIsLeft(String text) {
        assertThat(ReasoningText.answer(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "First.\n<think>\nHmm.\n</think>\nSecond.",
                "First.\n</think>\nSecond.",
                "```\n<reasoning>\nHmm.\n</reasoning>\n```",
                "The <think> tag, closed by </think>",
                "{\"a\": \"</think>\"}",
                "Use <|end|> and <|channel|>final<|message|> there.",
            })
    void whatFollowsTheFirstReasoningStays(String text) {
        assertThat(ReasoningText.answer("<think>Hmm.</think>" + text)).isEqualTo(text);
        assertThat(ReasoningText.answer("<|channel|>analysis<|message|>Hmm.<|end|><|start|>assistant"
                        + "<|channel|>final<|message|>" + text + "<|return|>"))
                .isEqualTo(text);
    }

    @Test
    @Tag("all")
    void takesLinearTime() {
        for (String part : new String[] {
            "<think>",
            "</think>",
            "</think> ",
            "\n<think>\n",
            "```",
            "`</think>`",
            "\n</think>\n",
            "{\"",
            "{\"a\": [",
            "<think ",
            "<|channel|>final"
        }) {
            String text = "x " + part.repeat(2_000_000 / part.length());
            Assertions.assertTimeout(Duration.ofMinutes(1), () -> ReasoningText.answer(text));
            Assertions.assertTimeout(Duration.ofMinutes(1), () -> ReasoningText.answer("<think>" + text));
        }
    }
}
