package dev.parley.llm.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Set;

/**
 * The content of a model's message, which is a text, an array of parts, or an object.
 *
 * @param text the answer without reasoning
 * @param refusal empty unless the model refused
 * @param hasReasoning whether reasoning or parts without a text were removed
 */
public record MessageContent(String text, String refusal, boolean hasReasoning) {
    private static final Set<String> TEXT_TYPES = Set.of("", "text", "output_text", "input_text", "markdown");

    /** @param structured whether the request has a schema; an object is then the answer itself */
    public static MessageContent of(JsonNode message, boolean structured) {
        JsonNode content = message.path("content");
        var parts = new Parts();
        if (message.path("refusal").isTextual()) {
            parts.refusal.append(message.path("refusal").textValue().strip());
        }
        if (structured && content.isObject() && !content.path("text").isTextual()) {
            parts.text.append(content);
        } else {
            parts.add(content);
        }
        String written = parts.text.toString();
        String text = ReasoningText.answer(written);
        return new MessageContent(text, parts.refusal.toString(), parts.hasOthers || !text.equals(written));
    }

    /** The text of a content as it was written, reasoning in the text included, other parts not. */
    public static String written(JsonNode content) {
        var parts = new Parts();
        parts.add(content);
        return parts.text.toString();
    }

    private static final class Parts {
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder refusal = new StringBuilder();
        private boolean hasOthers;

        void add(JsonNode part) {
            switch (part.getNodeType()) {
                case ARRAY -> part.forEach(this::add);
                case OBJECT -> addObject(part);
                case STRING, NUMBER, BOOLEAN -> text.append(part.asText());
                default -> {
                    // Null and missing content are no text.
                }
            }
        }

        private void addObject(JsonNode part) {
            String type = part.path("type").asText("").toLowerCase(Locale.ROOT);
            if (type.equals("refusal")) {
                refusal.append(part.path("refusal").asText(part.path("text").asText("refused")));
            } else if (TEXT_TYPES.contains(type) && !part.path("thought").asBoolean()) {
                JsonNode written = part.path("text");
                add(written.isObject() ? written.path("value") : written);
            } else {
                hasOthers = true;
            }
        }
    }
}
