package dev.parley.llm.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatReply.ReplyFinish;
import dev.parley.llm.ChatTool;
import dev.parley.llm.dialect.FinishReason;
import dev.parley.llm.dialect.MessageContent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a response of OpenAI's chat completions API, as endpoints really give it. */
final class ChatCompletionReader {
    /** Counts beyond this are not counts, and would overflow sums. */
    private static final long MAX_TOKENS = 1_000_000_000;

    private static final Set<String> MESSAGE_MEMBERS =
            Set.of("role", "content", "tool_calls", "function_call", "refusal", "annotations", "audio", "name");

    private ChatCompletionReader() {}

    /**
     * Returns a usable reply. The exception for an unusable one contains it, because its tokens count as well.
     *
     * @param model the model's name if the response has none
     * @param structured whether the request has a schema; the caller then checks a truncated or empty reply
     */
    static ChatReply read(JsonNode completion, String model, boolean structured) throws ChatModelException {
        JsonNode choice = completion.path("choices").path(0);
        JsonNode message = choice.path("message");
        if (!message.isObject()) {
            throw ChatModelException.transientFault("The chat model's answer could not be understood.", null);
        }
        MessageContent content = MessageContent.of(message, structured);
        FinishReason finish = FinishReason.of(choice);
        ChatReply reply = reply(completion, content, finish, model);
        Optional<ChatModelException> fault = fault(content, finish, reply, structured);
        if (fault.isPresent()) {
            throw fault.get().answered(reply);
        }
        return reply;
    }

    private static ChatReply reply(JsonNode completion, MessageContent content, FinishReason finish, String model) {
        JsonNode message = completion.path("choices").path(0).path("message");
        Map<String, @Nullable Object> extras = ToolCallReader.extras(message, MESSAGE_MEMBERS);
        if (content.hasReasoning()) {
            extras.put("content", ToolCallReader.tree(message.path("content")));
        }
        JsonNode usage = completion.path("usage");
        return new ChatReply(
                content.text(),
                tokens(usage, "prompt_tokens", "input_tokens"),
                tokens(usage.path("prompt_tokens_details"), "cached_tokens"),
                tokens(usage, "completion_tokens", "output_tokens"),
                tokens(usage.path("completion_tokens_details"), "reasoning_tokens"),
                Objects.requireNonNullElse(completion.path("model").textValue(), model),
                finish == FinishReason.LENGTH ? ReplyFinish.LENGTH : ReplyFinish.STOP,
                toolCalls(completion.path("choices")),
                extras,
                0);
    }

    /** Some proxies give the text and the calls of one reply as two choices. */
    private static List<ChatTool.ModelToolCall> toolCalls(JsonNode choices) {
        return choices.valueStream()
                .map(choice -> ToolCallReader.read(choice.path("message")))
                .filter(calls -> !calls.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static long tokens(JsonNode usage, String... names) {
        return Stream.of(names)
                .map(usage::path)
                .filter(JsonNode::isValueNode)
                .mapToLong(node -> Math.clamp(node.asLong(), 0, MAX_TOKENS))
                .findFirst()
                .orElse(0);
    }

    private static Optional<ChatModelException> fault(
            MessageContent content, FinishReason finish, ChatReply reply, boolean structured) {
        if (finish == FinishReason.REFUSED || !content.refusal().isBlank()) {
            return Optional.of(ChatModelException.permanentFault("The chat model refused to answer this.", null));
        }
        if (!reply.toolCalls().isEmpty()) {
            return Optional.empty();
        }
        if (finish == FinishReason.INCOMPLETE) {
            return Optional.of(ChatModelException.transientFault("The chat model's answer is not complete.", null));
        }
        if (!reply.text().isBlank() || structured) {
            return Optional.empty();
        }
        return Optional.of(
                finish == FinishReason.LENGTH
                        ? ChatModelException.permanentFault(
                                "The chat model reached its length limit before it answered.", null)
                        : ChatModelException.transientFault("The chat model's answer was empty.", null));
    }
}
