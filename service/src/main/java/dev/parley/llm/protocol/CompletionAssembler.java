package dev.parley.llm.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.llm.dialect.MessageContent;
import dev.parley.llm.protocol.ModelProtocol.ReplyAssembler;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Assembles the chunks of OpenAI's chat completions API, as endpoints really send them. */
final class CompletionAssembler implements ReplyAssembler {
    /** One is requested, and some endpoints give two. */
    private static final int MAX_CHOICES = 16;

    private static final class Choice {
        private final DeltaTree message = new DeltaTree();
        private JsonNode finish = JsonNodeFactory.instance.missingNode();
    }

    private final Consumer<String> text;
    private final Map<Integer, Choice> choices = new TreeMap<>();
    private JsonNode model = JsonNodeFactory.instance.missingNode();
    private JsonNode usage = JsonNodeFactory.instance.missingNode();

    CompletionAssembler(Consumer<String> text) {
        this.text = text;
    }

    @Override
    public void add(JsonNode chunk) {
        model = chunk.path("model").isTextual() ? chunk.path("model") : model;
        // In the last chunk, in each one, or beside the choice.
        usage = Stream.of(
                        chunk.path("usage"),
                        chunk.path("x_groq").path("usage"),
                        chunk.path("choices").path(0).path("usage"))
                .filter(given -> given.isObject() && !given.isEmpty())
                .findFirst()
                .orElse(usage);
        int position = 0;
        for (JsonNode given : chunk.path("choices")) {
            int index = given.path("index").asInt(position++);
            if (given.isObject() && (choices.containsKey(index) || choices.size() < MAX_CHOICES)) {
                add(given, index);
            }
        }
    }

    private void add(JsonNode given, int index) {
        Choice choice = choices.computeIfAbsent(index, _ -> new Choice());
        JsonNode delta = given.path("delta");
        if (!delta.isObject() && choice.message.isEmpty()) {
            delta = given.path("message"); // A whole completion as the only event.
        }
        choice.message.add(delta);
        Stream.of(given.path("finish_reason"), given.path("finishReason"))
                .filter(reason -> !reason.asText("").isBlank() && !reason.isNull())
                .findFirst()
                .ifPresent(reason -> choice.finish = reason);
        String written = MessageContent.written(delta.path("content"));
        if (!written.isEmpty() && index == choices.keySet().iterator().next()) {
            text.accept(written);
        }
    }

    @Override
    public boolean isComplete() {
        return choices.values().stream().anyMatch(choice -> !choice.finish.isMissingNode());
    }

    @Override
    public boolean isEnded() {
        return false; // The usage follows the end of the text.
    }

    @Override
    public long size() {
        return choices.values().stream()
                .mapToLong(choice -> choice.message.size())
                .sum();
    }

    @Override
    public JsonNode completion() {
        ObjectNode completion = JsonNodeFactory.instance.objectNode();
        completion.set("model", model);
        completion.set("usage", usage);
        var array = completion.putArray("choices");
        choices.forEach((index, choice) -> {
            ObjectNode written = array.addObject().put("index", index);
            written.set("message", choice.message.tree());
            written.set("finish_reason", choice.finish);
        });
        return completion;
    }
}
