package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatTool.ModelToolCall;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies that deviate from OpenAI's format (docs/guides/models.md). */
class ReplyDialectTest extends ScriptedEndpoint {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"arguments\": \"{\\\"a\\\": 1}\"} | {\"a\": 1}",
                "{\"arguments\": {\"a\": 1}} | {\"a\":1}",
                "{\"arguments\": {\"a\": 1.10, \"n\": 12345678901234567890}} | {\"a\":1.10,\"n\":12345678901234567890}",
                "{\"arguments\": \"\"} | ''",
                "{\"arguments\": \" \"} | ' '",
                "{\"arguments\": null} | ''",
                "{\"arguments\": \"null\"} | ''",
                "{\"arguments\": []} | ''",
                "{} | ''",
                "{\"arguments\": \"\\\"{\\\\\\\"a\\\\\\\": 1}\\\"\"} | {\"a\": 1}",
                "{\"parameters\": {\"a\": 1}} | {\"a\":1}",
                "{\"arguments\": null, \"input\": \"{\\\"a\\\": 1}\"} | {\"a\": 1}",
                "{\"arguments\": \"{\\\"a\\\":\"} | {\"a\":",
                "{\"arguments\": \"{}{\\\"a\\\": 1}\"} | {}{\"a\": 1}",
                "{\"arguments\": \"\\\"words\\\"\"} | \"words\"",
                "{\"arguments\": [1]} | [1]",
                "{\"arguments\": 7} | 7",
            })
    void argumentsOfACallAreKept(String function, String arguments) throws Exception {
        String named = function.equals("{}") ? "{\"name\": \"look\"}" : "{\"name\": \"look\", " + function.substring(1);
        ModelToolCall call = call(message("[{\"id\": \"1\", \"function\": " + named + "}]"));
        assertThat(call.name()).isEqualTo("look");
        assertThat(call.arguments()).isEqualTo(arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"content\": null, \"function_call\": {\"name\": \"look\", \"arguments\": \"{\\\"a\\\":1}\"}}",
                "{\"tool_calls\": [], \"function_call\": {\"name\": \"look\", \"arguments\": {\"a\":1}}}",
                "{\"tool_calls\": [null, {\"index\": 0, \"function\": {\"name\": \"look\", \"arguments\": \"{\\\"a\\\":1}\"}}]}",
                "{\"tool_calls\": {\"function\": {\"name\": \"look\", \"arguments\": {\"a\":1}}}}",
                "{\"tool_calls\": [{\"name\": \"look\", \"arguments\": {\"a\":1}}]}",
                "{\"tool_calls\": [{\"id\": null, \"function\": {\"name\": \"functions.look\", \"arguments\": {\"a\":1}}}]}",
                "{\"tool_calls\": [{\"id\": \"\", \"function\": {\"name\": \" look<|channel|>json\", \"arguments\": {\"a\":1}}}]}",
            })
    void aCallWithoutAnIdGetsOne(String message) throws Exception {
        ModelToolCall call = call(message);
        assertThat(call.id()).matches("[a-z0-9]{9}");
        assertThat(call.name()).isEqualTo("look");
        assertThat(call.arguments()).isEqualTo("{\"a\":1}");
    }

    @Test
    void callsWithTheSameIdAreToldApart() throws Exception {
        String call = "{\"id\": \"x\", \"function\": {\"name\": \"look\", \"arguments\": \"{}\"}}";
        List<ModelToolCall> calls = answering(completion(message("[" + call + "," + call + "]"), "null"))
                .reply(withTool())
                .toolCalls();
        assertThat(calls).hasSize(2);
        assertThat(calls.stream().map(ModelToolCall::id).distinct()).hasSize(2).contains("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"stop\"", "\"tool_calls\"", "null", "\"tool_use\"", "\"\"", "7"})
    void callsCountWhateverTheFinishReason(String finish) throws Exception {
        ChatReply reply = answering(
                        completion(message("[{\"id\": \"1\", \"function\": {\"name\": \"look\"}}]"), finish))
                .reply(withTool());
        assertThat(reply.toolCalls()).hasSize(1);
        assertThat(reply.finish()).isEqualTo(ChatReply.ReplyFinish.STOP);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"type\": \"text\", \"text\": \"Hello\"}] | Hello",
                "[{\"type\": \"thinking\", \"thinking\": [{\"type\": \"text\", \"text\": \"Hmm.\"}]}, {\"type\": \"text\", \"text\": \"Hello\"}] | Hello",
                "[{\"type\": \"reasoning\", \"text\": \"Hmm.\"}, {\"type\": \"output_text\", \"text\": \"Hel\"}, {\"type\": \"text\", \"text\": \"lo\"}] | Hello",
                "[\"Hel\", \"lo\"] | Hello",
                "[{\"type\": \"text\", \"text\": {\"value\": \"Hello\"}}] | Hello",
                "[{\"text\": \"Hmm.\", \"thought\": true}, {\"text\": \"Hello\"}] | Hello",
                "[{\"type\": \"text\", \"text\": \"Hello\"}, {\"type\": \"reference\", \"reference_ids\": [1]}] | Hello",
                "{\"type\": \"text\", \"text\": \"Hello\"} | Hello",
                "\"<think>Hmm.</think>\\n\\nHello\" | Hello",
                "7 | 7",
            })
    void theAnswerIsReadFromItsParts(String content, String answer) throws Exception {
        ChatReply reply = answering(completion("{\"content\": " + content + "}", "\"stop\""))
                .reply(saying("hi"));
        assertThat(reply.text()).isEqualTo(answer);
    }

    @Test
    void aWholeCompletionBeforeTheEndOfAStreamCounts() throws Exception {
        EndpointChatModel model = model(
                "/v1",
                "",
                ScriptedServer.answering(
                        200,
                        "text/event-stream",
                        "\n " + completion("{\"content\": \"Hello\"}", "\"stop\"") + "\n\ndata: [DONE]\n\n"));
        assertThat(model.reply(saying("hi")).text()).isEqualTo("Hello");
    }

    @Test
    void anAnswerAsAnObjectIsItsJson() throws Exception {
        ChatReply reply = answering(completion("{\"content\": {\"total\": 7}}", "\"stop\""))
                .reply(saying("hi").withSchema(SCHEMA));
        assertThat(reply.text()).isEqualTo("{\"total\":7}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"content\": null, \"reasoning_content\": \"Secret.\"}",
                "{\"content\": \"\", \"reasoning\": \"Secret.\"}",
                "{\"content\": [{\"type\": \"thinking\", \"thinking\": \"Secret.\"}]}",
                "{\"content\": \"<think>Secret.</think>\"}",
                "{\"content\": \"<think>Secret.\"}",
            })
    void reasoningIsNotAnAnswer(String message) throws Exception {
        EndpointChatModel model = answering(completion(message, "\"stop\""));
        assertThat(fault(model, saying("hi")).detail()).isEqualTo("The chat model's answer was empty.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\": {\"message\": \"Secret\", \"code\": 502}} | true",
                "{\"error\": {\"message\": \"Secret\", \"code\": 429}, \"choices\": []} | true",
                "{\"error\": \"The model is loading\"} | true",
                "{\"error\": {\"message\": \"Overloaded\", \"type\": \"overloaded_error\"}} | true",
                "{\"error\": {\"message\": \"Secret\", \"code\": \"400\"}} | false",
                "{\"error\": {\"message\": \"invalid api key\"}} | false",
                "{\"error\": {\"code\": \"insufficient_quota\"}} | false",
                "{\"object\": \"error\", \"message\": \"Secret\", \"code\": 400} | false",
                "{\"choices\": [{\"error\": {\"code\": 502}, \"message\": {\"content\": \"Secret\"}, \"finish_reason\": \"stop\"}]} | true",
                "{\"choices\": null} | true",
                "{\"choices\": []} | true",
                "{\"choices\": [{\"text\": \"Secret\", \"finish_reason\": \"stop\"}]} | true",
                "{\"choices\": [{\"delta\": {\"content\": \"Secret\"}}]} | true",
                "<html>Secret</html> | true",
                "'' | true",
                "data: {\"choices\": [{\"delta\": {\"content\": \"Secret\"}}]} | true",
                "{\"choices\": [{\"message\": {\"content\": \"Secret\"}, \"finish_reason\": \"error\"}]} | true",
                "{\"choices\": [{\"message\": {\"content\": \"Secret\"}, \"finish_reason\": \"tool_calls\"}]} | true",
                "{\"choices\": [{\"message\": {\"content\": \"Secret\"}, \"finish_reason\": \"insufficient_system_resource\"}]} | true",
                "{\"choices\": [{\"message\": {\"content\": \"Secret\"}, \"finish_reason\": \"content_filter\"}]} | false",
                "{\"choices\": [{\"message\": {\"content\": \"Secret\"}, \"finish_reason\": \"SAFETY\"}]} | false",
                "{\"choices\": [{\"message\": {\"content\": [{\"type\": \"refusal\", \"refusal\": \"Secret\"}]}, \"finish_reason\": \"stop\"}]} | false",
                "{\"choices\": [{\"message\": {\"content\": \"<think>Secret\"}, \"finish_reason\": \"length\"}]} | false",
            })
    void whatIsNoAnswerIsAFailure(String body, boolean isTransient) throws Exception {
        assertThat(fault(answering(body), saying("hi")).isTransient()).isEqualTo(isTransient);
        assertThat(asked)
                .as("a refusal without a reason may mean streaming")
                .hasSize(isTransient ? 1 + ModelRetries.RETRIES : body.matches(".*code.{2,4}400.*") ? 2 : 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STOP", "end_turn", "eos", "stop"})
    void otherWordsForStopAreComplete(String finish) throws Exception {
        ChatReply reply = answering(completion("{\"content\": \"x\"}", "\"" + finish + "\""))
                .reply(saying("hi"));
        assertThat(reply.finish()).isEqualTo(ChatReply.ReplyFinish.STOP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "max_tokens", "MAX_TOKENS", "model_length"})
    void otherWordsForLengthAreCut(String finish) throws Exception {
        ChatReply reply = answering(completion("{\"content\": \"x\"}", "\"" + finish + "\""))
                .reply(saying("hi"));
        assertThat(reply.finish()).isEqualTo(ChatReply.ReplyFinish.LENGTH);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null | 0",
                "\"many\" | 0",
                "{\"prompt_tokens\": null} | 0",
                "{\"prompt_tokens\": \"12\"} | 12",
                "{\"input_tokens\": 12} | 12",
                "{\"prompt_tokens\": -5} | 0",
                "{\"prompt_tokens\": {\"text\": 5}} | 0",
                "{\"prompt_tokens\": 99999999999999999999} | 1000000000",
            })
    void usageMayBeMissingOrOdd(String usage, long tokens) throws Exception {
        String body = completion("{\"content\": \"x\"}", "\"stop\"");
        ChatReply reply = answering(body.substring(0, body.length() - 1) + ", \"usage\": " + usage + "}")
                .reply(saying("hi"));
        assertThat(reply.promptTokens()).isEqualTo(tokens);
    }

    @Test
    void callsInALaterChoiceCount() throws Exception {
        ChatReply reply = answering("""
                {"choices": [{"message": {"content": "Looking."}, "finish_reason": "tool_calls"},
                  {"message": {"tool_calls": [{"id": "1", "function": {"name": "look", "arguments": "{}"}}]},
                   "finish_reason": "tool_calls"}]}""").reply(withTool());
        assertThat(reply.toolCalls()).hasSize(1);
    }
}
