package dev.parley.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenEstimateTest {
    private static ChatRequest request(String text) {
        return ChatRequest.text("Be brief.", List.of(ChatTurn.user(text)), Duration.ofSeconds(1));
    }

    @Test
    void everyPartOfTheInputCounts() {
        long text = TokenEstimate.input(request("x".repeat(3_000)));
        assertThat(text).isBetween(1_000L, 1_100L);
        assertThat(TokenEstimate.input(request("漢".repeat(1_000)))).isEqualTo(text);
        assertThat(TokenEstimate.input(request("").withTurn(ChatTurn.user("x".repeat(3_000)))))
                .isGreaterThan(text);
        assertThat(TokenEstimate.input(
                        request("").withFiles(List.of(ChatFile.image("a.png", "image/png", new byte[] {1})))))
                .isGreaterThan(2_000);
    }

    @Test
    void theOutputIsTheLowestMaximum() {
        ChatRequest limited = request("").withOptions(new ChatOptions(null, null, 500, null, List.of()));
        assertThat(TokenEstimate.output(limited, null)).isEqualTo(500);
        assertThat(TokenEstimate.output(limited, 300)).isEqualTo(300);
        assertThat(TokenEstimate.output(request(""), 9_000)).isEqualTo(9_000);
        assertThat(TokenEstimate.output(request(""), null)).isEqualTo(4_096);
    }
}
