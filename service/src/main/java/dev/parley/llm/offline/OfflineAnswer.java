package dev.parley.llm.offline;

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
 * Creates an object for a schema by the offline model's fixed rule (docs/offline-model.md): it copies inputs of the
 * same name and type, and searches the texts for the other values by type.
 *
 * @param texts searched in order
 * @param fallback the source of generated strings if there is no text
 * @param received a note about the files, appended to generated strings; empty without files
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
        if (inputs.get(name) instanceof String input) {
            return input;
        }
        String source = texts.isEmpty() ? fallback : texts.getFirst();
        return OfflineChatModel.MARK + ": " + OfflineChatModel.shortened(source) + received;
    }

    private BigDecimal number(String name, Function<String, Optional<BigDecimal>> search, boolean whole) {
        Optional<BigDecimal> input = parseNumber(inputs.get(name));
        if (input.isPresent() && (!whole || isWhole(input.get()))) {
            return whole ? input.get().setScale(0) : input.get();
        }
        return find(search)
                .or(() -> whole ? Optional.empty() : find(TextFacts::integer))
                .orElse(BigDecimal.ZERO);
    }

    private static Optional<BigDecimal> parseNumber(@Nullable Object input) {
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
        Object input = inputs.get(name);
        if (input instanceof Boolean flag) {
            return flag;
        }
        if ("true".equals(input) || "false".equals(input)) {
            return "true".equals(input);
        }
        return texts.stream().noneMatch(TextFacts::isNegative);
    }

    private String time(String name) {
        Optional<Instant> input = inputs.get(name) instanceof String text ? TextFacts.time(text) : Optional.empty();
        Optional<Instant> now =
                inputs.get("current_time") instanceof String text ? TextFacts.time(text) : Optional.empty();
        return TextFacts.rfc3339(
                input.or(() -> find(TextFacts::time)).or(() -> now).orElseGet(clock::instant));
    }

    private <T> Optional<T> find(Function<String, Optional<T>> search) {
        return texts.stream().flatMap(text -> search.apply(text).stream()).findFirst();
    }
}
