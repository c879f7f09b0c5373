package dev.parley.llm.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
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
            })
    void withoutAnAnswerNothingIsLeft(String text) {
        assertThat(ReasoningText.answer(text)).isEmpty();
    }

    @Test
    void aBlockOnLinesOfItsOwnWithinTheAnswerIsRemoved() {
        assertThat(ReasoningText.answer("First.\n<think>\nHmm.\n</think>\nSecond."))
                .isEqualTo("First.\nSecond.");
    }

    @Test
    void takesLinearTime() {
        for (String part :
                new String[] {"<think>", "</think>", "</think> ", "\n<think>\n", "```", "`</think>`", "\n</think>\n"}) {
            String text = "x " + part.repeat(2_000_000 / part.length());
            Assertions.assertTimeout(Duration.ofMinutes(1), () -> ReasoningText.answer(text));
            Assertions.assertTimeout(Duration.ofMinutes(1), () -> ReasoningText.answer("<think>" + text));
        }
    }
}
