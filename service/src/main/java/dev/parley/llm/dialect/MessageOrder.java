package dev.parley.llm.dialect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Orders messages as the chat templates of Gemma and Mistral demand: a user speaks first, users and the assistant take
 * turns, and an assistant does not have the last word.
 */
public final class MessageOrder {
    private static final String ROLE = "role";
    private static final String CONTENT = "content";

    private MessageOrder() {}

    /** @param filler the text of a user's turn where one is missing */
    public static List<Map<String, @Nullable Object>> of(List<Map<String, @Nullable Object>> messages, String filler) {
        List<Map<String, @Nullable Object>> ordered = new ArrayList<>();
        for (Map<String, @Nullable Object> message : messages) {
            Map<String, @Nullable Object> last = ordered.isEmpty() ? Map.of() : ordered.getLast();
            if (isRole(message, "assistant") && (ordered.isEmpty() || isRole(last, "system"))) {
                ordered.add(user(filler));
            }
            boolean joined = (isRole(message, "user") && isRole(last, "user"))
                    || (isRole(message, "assistant") && isRole(last, "assistant") && last.size() == 2);
            if (joined) {
                Map<String, @Nullable Object> both = new LinkedHashMap<>(message);
                both.put(CONTENT, joined(last.get(CONTENT), message.get(CONTENT)));
                ordered.set(ordered.size() - 1, both);
            } else {
                ordered.add(message);
            }
        }
        if (ordered.isEmpty() || isRole(ordered.getLast(), "assistant") || isRole(ordered.getLast(), "system")) {
            ordered.add(user(filler));
        }
        return ordered;
    }

    /** The same messages without a system role, whose text the first user's turn then begins with. */
    public static List<Map<String, @Nullable Object>> withoutSystem(List<Map<String, @Nullable Object>> messages) {
        return of(
                messages.stream()
                        .map(message -> isRole(message, "system") ? user(message.get(CONTENT)) : message)
                        .toList(),
                "");
    }

    private static Map<String, @Nullable Object> user(@Nullable Object content) {
        return message("user", content);
    }

    public static Map<String, @Nullable Object> message(String role, @Nullable Object content) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put(ROLE, role);
        message.put(CONTENT, content);
        return message;
    }

    private static boolean isRole(Map<String, @Nullable Object> message, String role) {
        return role.equals(message.get(ROLE));
    }

    private static @Nullable Object joined(@Nullable Object first, @Nullable Object second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        if (first instanceof String one && second instanceof String other) {
            return one + "\n\n" + other;
        }
        List<Object> parts = new ArrayList<>(parts(first));
        parts.addAll(parts(second));
        return parts;
    }

    private static List<?> parts(Object content) {
        return content instanceof List<?> parts ? parts : List.of(Map.of("type", "text", "text", content));
    }
}
