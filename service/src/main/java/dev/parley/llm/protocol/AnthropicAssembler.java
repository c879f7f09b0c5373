package dev.parley.llm.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.llm.protocol.ModelProtocol.ReplyAssembler;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Assembles the events of the Messages API. */
final class AnthropicAssembler implements ReplyAssembler {
    /** As deep as the input of a call can be in a whole reply; a journal nests it deeper. */
    private static final int MAX_DEPTH = 56;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /**
     * A block of the reply.
     *
     * @param start as it began
     * @param written its text, reasoning, or the JSON text of a call's input
     */
    private record Block(ObjectNode start, StringBuilder written) {
        boolean isCall() {
            return start.path("type").asText("").equals("tool_use");
        }

        boolean isAnswer() {
            return isCall() && start.path("name").asText("").equals(AnthropicProtocol.ANSWER_TOOL);
        }

        JsonNode tree() {
            ObjectNode block = start.deepCopy();
            if (isCall()) {
                if (!written.isEmpty()) {
                    block.set("input", input());
                }
            } else if (block.has("text") || block.has("thinking")) {
                block.put(block.has("text") ? "text" : "thinking", written.toString());
            }
            return block;
        }

        /** An answer stays as it was passed on. */
        private JsonNode input() {
            JsonNode text = JsonNodeFactory.instance.textNode(written.toString());
            try {
                return isAnswer() ? text : JSON.readTree(written.toString());
            } catch (JsonProcessingException cut) {
                return text;
            }
        }
    }

    private final Consumer<String> text;
    private final Map<Integer, Block> blocks = new TreeMap<>();
    private final ObjectNode usage = JsonNodeFactory.instance.objectNode();
    private JsonNode model = JsonNodeFactory.instance.missingNode();
    private String stopReason = "";
    private boolean isStarted;
    private boolean isEnded;
    private long size;

    AnthropicAssembler(Consumer<String> text) {
        this.text = text;
    }

    @Override
    public void add(JsonNode event) {
        switch (event.path("type").asText("")) {
            case "message_start" -> {
                isStarted = true;
                model = event.path("message").path("model");
                addUsage(event.path("message").path("usage"));
            }
            case "content_block_start" -> start(index(event), event.path("content_block"));
            case "content_block_delta" -> addDelta(index(event), event.path("delta"));
            case "message_delta" -> {
                stopReason = event.path("delta").path("stop_reason").asText(stopReason);
                addUsage(event.path("usage"));
            }
            case "message_stop" -> isEnded = true;
            default -> {
                // A ping, the end of a block, or an event of a later version.
            }
        }
    }

    private int index(JsonNode event) {
        return event.path("index").asInt(Math.max(0, blocks.size() - 1));
    }

    private void start(int index, JsonNode given) {
        if (given instanceof ObjectNode start) {
            Block block = block(start);
            blocks.put(index, block);
            append(block, given.path("text").asText(given.path("thinking").asText("")));
        }
    }

    private Block block(ObjectNode start) {
        size += start.toString().length();
        return new Block(start, new StringBuilder());
    }

    private void addDelta(int index, JsonNode delta) {
        String type = delta.path("type").asText("");
        Block block = blocks.computeIfAbsent(
                index, _ -> block(JSON.createObjectNode().put("type", "text").put("text", "")));
        switch (type) {
            case "text_delta" -> append(block, delta.path("text").asText(""));
            case "thinking_delta" -> append(block, delta.path("thinking").asText(""));
            case "input_json_delta" -> append(block, delta.path("partial_json").asText(""));
            case "signature_delta" -> block.start.set("signature", delta.path("signature"));
            default -> {
                // Citations, or a delta of a later version.
            }
        }
    }

    private void append(Block block, String piece) {
        if (!piece.isEmpty()) {
            block.written.append(piece);
            size += piece.length();
            if (block.start.has("text") || block.isAnswer()) {
                text.accept(piece);
            }
        }
    }

    /** Counts are totals, and a later event may lack those of the first. */
    private void addUsage(JsonNode given) {
        for (String name : AnthropicReply.COUNTS) {
            if (given.path(name).asLong() > usage.path(name).asLong()) {
                usage.set(name, given.path(name));
            }
        }
    }

    @Override
    public boolean isComplete() {
        return !stopReason.isEmpty();
    }

    @Override
    public boolean isEnded() {
        return isEnded;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public JsonNode completion() {
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        if (isStarted || !blocks.isEmpty()) {
            message.set("model", model);
            message.set("usage", usage);
            message.put("stop_reason", stopReason);
            ArrayNode content = message.putArray("content");
            blocks.values().forEach(block -> content.add(block.tree()));
        }
        return AnthropicReply.completion(message);
    }
}
