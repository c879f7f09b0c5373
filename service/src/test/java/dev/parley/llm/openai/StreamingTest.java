package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatTool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies that arrive in pieces, as endpoints send them (docs/guides/models.md). */
class StreamingTest extends StreamedEndpoint {
    @Test
    void textArrivesInPiecesAndTheUsageAfterIt() throws Exception {
        EndpointChatModel model = streaming(
                "{\"model\": \"m-2026\", \"choices\": [{\"index\": 0, \"delta\": {\"role\": \"assistant\", \"content\": \"\"}}], \"usage\": null}",
                text("Grüße, "),
                text("👋🏽!"),
                STOP,
                "{\"choices\": [], \"usage\": {\"prompt_tokens\": 12, \"completion_tokens\": 5,"
                        + " \"prompt_tokens_details\": {\"cached_tokens\": 8},"
                        + " \"completion_tokens_details\": {\"reasoning_tokens\": 2}}}",
                DONE);
        ChatReply reply = model.reply(saying("hi"), heard);
        assertThat(reply.text()).isEqualTo("Grüße, 👋🏽!");
        assertThat(reply.model()).isEqualTo("m-2026");
        assertThat(List.of(
                        reply.promptTokens(), reply.cachedTokens(), reply.completionTokens(), reply.reasoningTokens()))
                .containsExactly(12L, 8L, 5L, 2L);
        assertThat(heard.pieces).containsExactly("Grüße, ", "👋🏽!");
        assertThat(heard.resets).isZero();
        assertThat(asked.getFirst().path("stream").asBoolean()).isTrue();
        assertThat(asked.getFirst().at("/stream_options/include_usage").asBoolean())
                .isTrue();
    }

    @Test
    void aPieceIsPassedOnBeforeTheNextOneExists() throws Exception {
        var first = new CountDownLatch(1);
        EndpointChatModel model = model("/v1", "", (_, out) -> {
            head(out);
            event(out, text("one"));
            assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
            event(out, text(" two"));
            event(out, STOP);
            event(out, DONE);
            end(out);
        });
        assertThat(model.reply(saying("hi"), _ -> first.countDown()).text()).isEqualTo("one two");
    }

    @Test
    void theConnectionIsKeptForTheNextStream() throws Exception {
        EndpointChatModel model = streaming(text("x"), STOP, DONE);
        for (int i = 0; i < 3; i++) {
            assertThat(model.reply(saying("hi")).text()).isEqualTo("x");
        }
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aServerThatDoesNotEndItsStreamDoesNotDelayTheReply() throws Exception {
        var never = new CountDownLatch(1);
        EndpointChatModel model = model("/v1", "", (_, out) -> {
            head(out);
            event(out, text("x"));
            event(out, STOP);
            event(out, DONE);
            never.await(20, TimeUnit.SECONDS);
        });
        long start = System.nanoTime();
        assertThat(model.reply(saying("hi")).text()).isEqualTo("x");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"usage\": {\"prompt_tokens\": 3}, \"choices\": [{\"index\": 0, \"delta\": {\"content\": \"x\"}, \"finish_reason\": \"stop\"}]}",
                "{\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"x\"}, \"finish_reason\": \"stop\", \"usage\": {\"prompt_tokens\": 3}}]}",
                "{\"x_groq\": {\"usage\": {\"prompt_tokens\": 3}}, \"choices\": [{\"delta\": {\"content\": \"x\"}, \"finish_reason\": \"stop\"}]}",
                "{\"usage\": {\"prompt_tokens\": 3}, \"choices\": [{\"message\": {\"content\": \"x\"}, \"finish_reason\": \"stop\"}]}",
            })
    void usageIsFoundWhereEndpointsPutIt(String event) throws Exception {
        ChatReply reply = streaming(event).reply(saying("hi"), heard);
        assertThat(reply.text()).isEqualTo("x");
        assertThat(reply.promptTokens()).isEqualTo(3);
        assertThat(heard.text).hasToString("x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ": comment\n\ndata:$TEXT\n\ndata:$STOP\n\n",
                "event: message\r\ndata: $TEXT\r\n\r\nid: 1\r\ndata: $STOP\r\n\r\ndata: [DONE]\r\n\r\n",
                "\uFEFFdata: $TEXT\n\ndata: $STOP",
                "\n\nretry: 5\ndata: $TEXT\n\n: keep-alive\n\ndata: \n\ndata: $STOP\n\ndata: [DONE]\n\ndata: $TEXT\n\n",
            })
    void eventsAreReadInAnyForm(String stream) throws Exception {
        String body = stream.replace("$TEXT", text("Hello")).replace("$STOP", STOP);
        for (String type : List.of("text/event-stream; charset=utf-8", "application/json", "text/plain")) {
            EndpointChatModel model = model("/v1", "", ScriptedServer.answering(200, type, body));
            assertThat(model.reply(saying("hi")).text()).as(type).isEqualTo("Hello");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<think>~Secret.~</think>~Hello.",
                "<thi~nk>Sec~ret.</th~ink>Hello.",
                " ~<~think>Secret.</think>~\n\n~Hello.",
                "<b>~Hel~lo</b>~.",
                "analysis We should say Hello.~assistantfinal~Hello~.",
                "<think>~</think>~He~llo.",
                "[THINK]Secret.~[/THINK]~Hello.",
                "<|channel|>analysis<|message|>Secret.<|end|>~<|start|>assistant<|channel|>final<|message|>~Hello.",
            })
    void reasoningInTheTextIsNotPassedOn(String pieces) throws Exception {
        List<String> events = new ArrayList<>();
        for (String piece : pieces.split("~", -1)) {
            events.add(text(piece));
        }
        events.add(STOP);
        ChatReply reply = streaming(events.toArray(String[]::new)).reply(saying("hi"), heard);
        assertThat(reply.text().strip()).matches("(<b>)?Hello(</b>)?\\.");
        assertThat(heard.text.toString()).isEqualTo(reply.text());
        assertThat(heard.pieces).noneMatch(piece -> piece.contains("Secret"));
        assertThat(heard.resets).isZero();
    }

    @Test
    void reasoningWithoutAnOpeningTagIsTakenBack() throws Exception {
        ChatReply reply = streaming(text("Let me think."), text("\n</think>\n\n"), text("Hello"), STOP, DONE)
                .reply(saying("hi"), heard);
        assertThat(heard.resets).isEqualTo(1);
        assertThat(heard.text.toString())
                .isEqualTo(reply.text())
                .endsWith("Hello")
                .doesNotContain("think");
    }

    @Test
    void reasoningMembersAreKeptAndNotPassedOn() throws Exception {
        ChatReply reply = streaming(
                        delta(
                                "{\"reasoning_content\": \"Let \", \"reasoning_details\": [{\"type\": \"reasoning.text\", \"index\": 0, \"text\": \"Let \"}]}"),
                        delta(
                                "{\"reasoning_content\": \"me see.\", \"reasoning_details\": [{\"type\": \"reasoning.text\", \"index\": 0, \"text\": \"me see.\", \"signature\": \"s\"}]}"),
                        delta(
                                "{\"content\": [{\"type\": \"thinking\", \"thinking\": [{\"type\": \"text\", \"text\": \"Hm\"}]}]}"),
                        delta(
                                "{\"content\": [{\"type\": \"thinking\", \"thinking\": [{\"type\": \"text\", \"text\": \"m.\"}]}]}"),
                        text("Look"),
                        text("ing."),
                        delta(
                                "{\"tool_calls\": [{\"index\": 0, \"id\": \"1\", \"function\": {\"name\": \"look\", \"arguments\": \"{}\"}, \"extra_content\": {\"google\": {\"thought_signature\": \"c2ln\"}}}]}"),
                        "{\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"tool_calls\"}]}",
                        DONE)
                .reply(withTool(), heard);
        assertThat(heard.text).hasToString("Looking.");
        JsonNode extras = JSON.valueToTree(reply.extras());
        assertThat(extras.path("reasoning_content").asText()).isEqualTo("Let me see.");
        assertThat(extras.path("reasoning_details"))
                .isEqualTo(
                        JSON.readTree(
                                "[{\"type\": \"reasoning.text\", \"index\": 0, \"text\": \"Let me see.\", \"signature\": \"s\"}]"));
        assertThat(extras.path("content"))
                .isEqualTo(
                        JSON.readTree(
                                "[{\"type\": \"thinking\", \"thinking\": [{\"type\": \"text\", \"text\": \"Hmm.\"}]}, {\"type\": \"text\", \"text\": \"Looking.\"}]"));
        assertThat(JSON.<JsonNode>valueToTree(reply.toolCalls().getFirst().extras())
                        .at("/extra_content/google/thought_signature")
                        .asText())
                .isEqualTo("c2ln");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // As OpenAI does.
                "[{index: 0, id: a, type: function, function: {name: look, arguments: ''}}]"
                        + "|[{index: 0, function: {arguments: '{q:'}}]|[{index: 0, function: {arguments: ' 1}'}}]"
                        + "|[{index: 1, id: b, function: {name: look, arguments: ''}}]|[{index: 1, function: {arguments: '{q: 2}'}}]",
                // Interleaved, with empty ids and names later.
                "[{index: 0, id: a, function: {name: look}}, {index: 1, id: b, function: {name: look}}]"
                        + "|[{index: 1, id: '', function: {name: '', arguments: '{q: 2}'}}, {index: 0, id: null, function: {name: null, arguments: '{q: 1}'}}]",
                // Without an index.
                "[{id: a, function: {name: look, arguments: '{q:'}}]|[{function: {arguments: ' 1}'}}]"
                        + "|[{id: b, function: {name: look, arguments: '{q: 2}'}}]",
                "[{id: a, function: {name: look, arguments: '{q: 1}'}}, {id: b, function: {name: look, arguments: '{q: 2}'}}]",
                "[{function: {name: look, arguments: '{q: 1}'}}]|[{function: {name: look, arguments: '{q:'}}]|[{function: {arguments: ' 2}'}}]",
                // The same index for different calls.
                "[{index: 0, id: a, function: {name: look, arguments: '{q: 1}'}}]|[{index: 0, id: b, function: {name: look, arguments: '{q: 2}'}}]",
                // A new id with each piece.
                "[{index: 0, id: a, function: {name: look}}]|[{index: 0, id: x, function: {arguments: '{q: 1}'}}]"
                        + "|[{index: 1, id: b, function: {name: look}}]|[{index: 1, id: y, function: {arguments: '{q: 2}'}}]",
                // Arguments as objects, names repeated, one call without an array.
                "[{index: 0, id: a, function: {name: look, arguments: {q: 1}}}]|{index: 1, id: b, function: {name: look}}"
                        + "|[{index: 1, id: b, function: {name: look, arguments: {q: 2}}}]",
            })
    void callsAreAssembled(String pieces) throws Exception {
        List<String> events = new ArrayList<>();
        for (String piece : pieces.split("\\|", -1)) {
            events.add(delta("{\"tool_calls\": " + json(piece) + "}"));
        }
        events.add("{\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"tool_calls\"}]}");
        ChatReply reply = streaming(events.toArray(String[]::new)).reply(withTool(), heard);
        assertThat(reply.toolCalls()).extracting(ChatTool.ModelToolCall::name).containsExactly("look", "look");
        assertThat(reply.toolCalls().stream().map(call -> call.arguments().replaceAll("[ \"]", "")))
                .containsExactly("{q:1}", "{q:2}");
        assertThat(heard.pieces).isEmpty();
    }

    /** JSON of a lenient text. */
    private static String json(String lenient) throws IOException {
        return new ObjectMapper(JsonFactory.builder()
                        .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
                        .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                        .build())
                .readTree(lenient.replaceAll("(id|name|type): (a|b|x|y|look|function)\\b", "$1: '$2'"))
                .toString();
    }

    @Test
    void callsInASecondChoiceAreFound() throws Exception {
        ChatReply reply = streaming(
                        text("Looking."),
                        "{\"choices\": [{\"index\": 1, \"delta\": {\"content\": null, \"tool_calls\": [{\"id\": \"1\", \"function\": {\"name\": \"look\", \"arguments\": \"{}\"}}]}}]}",
                        "{\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"tool_calls\"}, {\"index\": 1, \"delta\": {}, \"finish_reason\": \"tool_calls\"}]}")
                .reply(withTool(), heard);
        assertThat(reply.text()).isEqualTo("Looking.");
        assertThat(reply.toolCalls()).hasSize(1);
    }

    @Test
    void aSchemaIsStreamedToo() throws Exception {
        ChatReply reply = streaming(text("{\"total\""), text(": 7}"), STOP, DONE)
                .reply(saying("hi").withSchema(SCHEMA), heard);
        assertThat(reply.text()).isEqualTo("{\"total\": 7}");
        assertThat(heard.pieces).hasSize(2);
        assertThat(asked.getFirst().path("stream").asBoolean()).isTrue();
    }
}
