package dev.parley.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.llm.ChatReply.ReplyFinish;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the JSON body of a response of OpenAI's chat completions API. */
final class ChatCompletionReader {
    private static final JsonMapper JSON = new JsonMapper();

    private ChatCompletionReader() {}

    /**
     * Returns a usable reply. The exception for an unusable one contains it, because its tokens count as well.
     *
     * @param model the model's name if the response has none
     * @param structured whether the request has a schema; the caller then checks a truncated or empty reply
     */
    static ChatReply read(byte[] body, String model, boolean structured) throws ChatModelException {
        JsonNode completion;
        try {
            completion = JSON.readTree(body);
        } catch (IOException malformed) {
            throw ChatModelException.transientFault("The chat model's answer could not be understood.", malformed);
        }
        JsonNode choice = completion.path("choices").path(0);
        if (!choice.path("message").isObject()) {
            throw ChatModelException.transientFault("The chat model's answer could not be understood.", null);
        }
        ChatReply reply = reply(completion, choice, model);
        Optional<ChatModelException> fault = fault(choice, reply, structured);
        if (fault.isPresent()) {
            throw fault.get().answered(reply);
        }
        return reply;
    }

    private static ChatReply reply(JsonNode completion, JsonNode choice, String model) {
        JsonNode message = choice.path("message");
        JsonNode usage = completion.path("usage");
        return new ChatReply(
                text(message, "content"),
                Math.max(0, usage.path("prompt_tokens").asLong()),
                Math.max(0, usage.path("completion_tokens").asLong()),
                Objects.requireNonNullElse(completion.path("model").textValue(), model),
                isFinish(choice, "length") ? ReplyFinish.LENGTH : ReplyFinish.STOP,
                toolCalls(message.path("tool_calls")));
    }

    private static List<ChatTool.ModelToolCall> toolCalls(JsonNode calls) {
        return calls.valueStream()
                .map(call -> new ChatTool.ModelToolCall(
                        text(call, "id"),
                        text(call.path("function"), "name"),
                        text(call.path("function"), "arguments")))
                .toList();
    }

    private static Optional<ChatModelException> fault(JsonNode choice, ChatReply reply, boolean structured) {
        if (isFinish(choice, "content_filter")
                || !text(choice.path("message"), "refusal").isBlank()) {
            return Optional.of(ChatModelException.permanentFault("The chat model refused to answer this.", null));
        }
        if (!reply.toolCalls().isEmpty()) {
            return Optional.empty();
        }
        if (!isFinish(choice, "stop") && !isFinish(choice, "length")) {
            return Optional.of(ChatModelException.transientFault("The chat model's answer is not complete.", null));
        }
        return reply.text().isBlank() && !structured
                ? Optional.of(ChatModelException.transientFault("The chat model's answer was empty.", null))
                : Optional.empty();
    }

    private static boolean isFinish(JsonNode choice, String reason) {
        return text(choice, "finish_reason").equals(reason);
    }

    private static String text(JsonNode object, String field) {
        return Objects.requireNonNullElse(object.path(field).textValue(), "");
    }
}
