package dev.parley.llm.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Translates a message of the Messages API to a chat completion. */
final class AnthropicReply {
    private static final String TOOL_USE = "tool_use";
    private static final String INPUT = "input_tokens";
    private static final String OUTPUT = "output_tokens";
    private static final String CACHE_WRITES = "cache_creation_input_tokens";
    private static final String CACHE_READS = "cache_read_input_tokens";

    /** The members of the usage. */
    static final List<String> COUNTS = List.of(INPUT, OUTPUT, CACHE_WRITES, CACHE_READS);

    private AnthropicReply() {}

    /** The completion; the given JSON if it is no message. */
    static JsonNode completion(JsonNode message) {
        if (!message.path("content").isArray()) {
            return message;
        }
        var text = new StringBuilder();
        String answer = "";
        boolean isAnswered = false;
        ArrayNode calls = JsonNodeFactory.instance.arrayNode();
        ArrayNode blocks = JsonNodeFactory.instance.arrayNode();
        for (JsonNode block : message.path("content")) {
            boolean isCall = block.path("type").asText("").equals(TOOL_USE);
            if (isCall && block.path("name").asText("").equals(AnthropicProtocol.ANSWER_TOOL)) {
                answer = arguments(block);
                isAnswered = true;
                continue; // Without a result the endpoint would refuse it in the next request.
            }
            if (isCall) {
                calls.add(call(block));
            } else {
                text.append(block.path("text").asText(""));
            }
            blocks.add(sentBack(block));
        }
        boolean isAnswer = isAnswered && calls.isEmpty();
        ObjectNode translated =
                JsonNodeFactory.instance.objectNode().put("content", isAnswer ? answer : text.toString());
        if (!calls.isEmpty()) {
            translated.set("tool_calls", calls);
            translated.set(AnthropicProtocol.CONTENT, blocks);
        }
        String reason = message.path("stop_reason").asText("");
        ObjectNode choice = JsonNodeFactory.instance.objectNode();
        choice.set("message", translated);
        choice.put("finish_reason", isAnswer && reason.equals(TOOL_USE) ? "stop" : reason);
        ObjectNode completion = JsonNodeFactory.instance.objectNode();
        completion.set("model", message.path("model"));
        completion.set("usage", usage(message.path("usage")));
        completion.putArray("choices").add(choice);
        return completion;
    }

    private static ObjectNode call(JsonNode block) {
        ObjectNode call = JsonNodeFactory.instance.objectNode();
        call.put("id", block.path("id").asText(""));
        call.putObject("function").put("name", block.path("name").asText("")).put("arguments", arguments(block));
        return call;
    }

    /** As written; a cut reply may have a part of a JSON text. */
    private static String arguments(JsonNode block) {
        JsonNode input = block.path("input");
        return input.isTextual() ? input.textValue() : input.toString();
    }

    private static JsonNode sentBack(JsonNode block) {
        return block.path("input").isTextual()
                ? ((ObjectNode) block.deepCopy()).set("input", JsonNodeFactory.instance.objectNode())
                : block;
    }

    /** Tokens that were read from or written to a cache are not among {@code input_tokens}. */
    private static ObjectNode usage(JsonNode usage) {
        long cached = usage.path(CACHE_READS).asLong();
        long uncached = usage.path(INPUT).asLong() + usage.path(CACHE_WRITES).asLong();
        ObjectNode translated = JsonNodeFactory.instance.objectNode();
        translated.put("prompt_tokens", cached + uncached);
        translated.put("completion_tokens", usage.path(OUTPUT).asLong());
        translated.putObject("prompt_tokens_details").put("cached_tokens", cached);
        return translated;
    }
}
