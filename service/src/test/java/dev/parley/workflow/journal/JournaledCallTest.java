package dev.parley.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatTool.ModelToolCall;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JournaledCallTest {
    @Test
    void aReplyKeepsTheMembersOfItsEndpoint() {
        var call = new ModelToolCall(
                "1",
                "look",
                "{\"a\": 1}",
                Map.of("extra_content", Map.of("google", Map.of("thought_signature", "c2ln"))));
        var reply = new ChatReply(
                "",
                1,
                0,
                2,
                0,
                "m",
                ChatReply.ReplyFinish.STOP,
                List.of(call),
                Map.of("reasoning_content", "Hmm.", "camelCase", List.of(new BigDecimal("1.10"))),
                0);
        var stored = new JournaledCall.ModelReply(1, null, reply, 5);
        assertThat(StrictJson.readTrusted(StrictJson.write(stored), JournaledCall.class))
                .isEqualTo(stored);
    }

    @Test
    void aReplyOfAnEarlierReleaseIsRead() {
        var read = (JournaledCall.ModelReply) StrictJson.readTrusted("""
                {"type": "model", "run": 1, "reply": {"text": "", "prompt_tokens": 1, "completion_tokens": 2, "model": "m",
                 "finish": "STOP", "tool_calls": [{"id": "1", "name": "look", "arguments": "{}"}]}, "cost_micros": 5}""", JournaledCall.class);
        assertThat(read.reply().extras()).isEmpty();
        assertThat(read.reply().toolCalls()).containsExactly(new ModelToolCall("1", "look", "{}"));
    }
}
