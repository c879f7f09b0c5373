package dev.parley.llm;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes an object for a schema by the offline model's fixed rule (docs/offline-model.md): an input of the same name and
 * type is copied, and all else is looked for in the texts by type.
 *
 * @param texts where to look, in order
 * @param fallback what a string is made of when there is no text
 * @param received a note of the files, which follows strings that are made up; empty without files
 */
record OfflineAnswer(
        Map<String, @Nullable Object> inputs,
        List<String> texts,
        String fallback,
        String received,
        InstantSource clock) {
    Map<String, @Nullable Object> object(Map<?, ?> schema) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, property) -> answer.put(
                    String.valueOf(name),
                    value(String.valueOf(name), property instanceof Map<?, ?> inner ? inner : Map.of())));
        }
        return answer;
    }

    private @Nullable Object value(String name, Map<?, ?> schema) {
        if (schema.containsKey("const")) {
            return schema.get("const");
        }
        if (schema.get("enum") instanceof List<?> choices && !choices.isEmpty()) {
            Object input = inputs.get(name);
            return input != null && choices.contains(input) ? input : choices.getFirst();
        }
        return switch (type(schema)) {
            case "integer" -> number(name, TextFacts::integer, true);
            case "number" -> number(name, TextFacts::decimal, false);
            case "boolean" -> bool(name);
            case "array" -> inputs.get(name) instanceof List<?> list ? list : List.of();
            case "object" -> object(schema);
            default -> "date-time".equals(schema.get("format")) ? time(name) : string(name);
        };
    }

    private static String type(Map<?, ?> schema) {
        if (schema.get("type") instanceof List<?> types) {
            return types.stream()
                    .map(String::valueOf)
                    .filter(one -> !one.equals("null"))
                    .findFirst()
                    .orElse("string");
        }
        return String.valueOf(schema.get("type"));
    }

    private String string(String name) {
        if (inputs.get(name) instanceof String same) {
            return same;
        }
        String source = texts.isEmpty() ? fallback : texts.getFirst();
        return OfflineChatModel.MARK + ": " + OfflineChatModel.shortened(source) + received;
    }

    private BigDecimal number(String name, Function<String, Optional<BigDecimal>> first, boolean whole) {
        Optional<BigDecimal> same = sameNumber(inputs.get(name));
        if (same.isPresent() && (!whole || isWhole(same.get()))) {
            return whole ? same.get().setScale(0) : same.get();
        }
        return find(first)
                .or(() -> whole ? Optional.empty() : find(TextFacts::integer))
                .orElse(BigDecimal.ZERO);
    }

    private static Optional<BigDecimal> sameNumber(@Nullable Object input) {
        boolean numeric = input instanceof Number || (input instanceof String text && text.length() <= 30);
        if (!numeric) {
            return Optional.empty();
        }
        try {
            BigDecimal number = new BigDecimal(String.valueOf(input));
            return Math.abs(number.scale()) <= 40 ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }

    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    }

    private boolean bool(String name) {
        Object same = inputs.get(name);
        if (same instanceof Boolean flag) {
            return flag;
        }
        if ("true".equals(same) || "false".equals(same)) {
            return "true".equals(same);
        }
        return texts.stream().noneMatch(TextFacts::saysNo);
    }

    private String time(String name) {
        Optional<Instant> same = inputs.get(name) instanceof String text ? TextFacts.time(text) : Optional.empty();
        Optional<Instant> now =
                inputs.get("current_time") instanceof String text ? TextFacts.time(text) : Optional.empty();
        return TextFacts.written(
                same.or(() -> find(TextFacts::time)).or(() -> now).orElseGet(clock::instant));
    }

    private <T> Optional<T> find(Function<String, Optional<T>> first) {
        for (String text : texts) {
            Optional<T> found = first.apply(text);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
