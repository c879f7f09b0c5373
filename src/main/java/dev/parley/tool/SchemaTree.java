package dev.parley.tool;

import dev.parley.http.StrictJson;
import dev.parley.problem.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Converts an untrusted schema to one that is safe for validation and for models. References within the document are
 * inlined (a recursive one up to {@link #MAX_RECURSION} times, then anything is accepted), other references accept
 * anything, and only known, well-formed keywords are kept. Size and depth are limited, so that validation takes time
 * proportional to the arguments. Names and values count as nodes too, because each reference reads them again.
 */
public final class SchemaTree {
    private static final int MAX_NODES = 2_000;
    private static final int MAX_DEPTH = 24;
    private static final int MAX_RECURSION = 3;
    private static final int MAX_TEXT_LENGTH = 2_000;
    private static final int MAX_PATTERN_LENGTH = 500;
    private static final int MAX_VALUE_LENGTH = 20_000;
    private static final int MAX_REFERENCE_LENGTH = 1_000;

    /** Characters of a value, or members of an object, that count as one node. */
    private static final int PER_NODE = 100;

    private static final Set<String> TYPES =
            Set.of("string", "integer", "number", "boolean", "array", "object", "null");
    private static final Set<String> TEXT_KEYWORDS = Set.of("title", "description", "format", "contentMediaType");
    private static final Set<String> COUNT_KEYWORDS = Set.of(
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "minContains",
            "maxContains");
    private static final Set<String> NUMBER_KEYWORDS =
            Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");
    private static final Set<String> SCHEMAS = Set.of(
            "items",
            "additionalProperties",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames",
            "unevaluatedItems",
            "unevaluatedProperties");
    private static final Set<String> SCHEMA_LIST_KEYWORDS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
    private static final Set<String> SCHEMA_MAP_KEYWORDS = Set.of("properties", "dependentSchemas");

    private final @Nullable Object document;
    private int nodes;

    private SchemaTree(@Nullable Object document) {
        this.document = document;
    }

    /**
     * @param schema any value; a value that is no schema accepts anything
     * @param document the root of references
     */
    public static Map<String, Object> of(@Nullable Object schema, @Nullable Object document) {
        return new SchemaTree(document).schema(schema, 0, List.of()) instanceof Map<?, ?> map ? cast(map) : Map.of();
    }

    /**
     * The part of a document named by a reference such as {@code #/components/schemas/Pet}; null if it does not exist.
     */
    public static @Nullable Object resolve(@Nullable Object document, String reference) {
        if (reference.equals("#")) {
            return document;
        }
        if (!reference.startsWith("#/") || reference.length() > MAX_REFERENCE_LENGTH) {
            return null;
        }
        Object at = document;
        for (String escaped : reference.substring(2).split("/", -1)) {
            String segment = escaped.replace("%7B", "{")
                    .replace("%7D", "}")
                    .replace("~1", "/")
                    .replace("~0", "~");
            at = switch (at) {
                case Map<?, ?> map -> map.get(segment);
                case List<?> list
                when segment.matches("[0-9]{1,5}") && Integer.parseInt(segment) < list.size() ->
                    list.get(Integer.parseInt(segment));
                case null, default -> null;
            };
        }
        return at;
    }

    private Object schema(@Nullable Object node, int depth, List<String> references) {
        if (node instanceof Boolean accepts) {
            return accepts;
        }
        if (!(node instanceof Map<?, ?> map) || ++nodes > MAX_NODES || depth > MAX_DEPTH) {
            return Map.of();
        }
        nodes += map.size() / PER_NODE;
        if (map.get("$ref") instanceof String reference) {
            if (references.stream().filter(reference::equals).count() >= MAX_RECURSION
                    || references.size() > 2 * MAX_DEPTH) {
                return Map.of();
            }
            List<String> more = new ArrayList<>(references);
            more.add(reference);
            return schema(resolve(document, reference), depth, more);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (key instanceof String keyword && value != null) {
                copyKeyword(result, keyword, value, depth, references);
            }
        });
        return openApi(result, map);
    }

    private void copyKeyword(
            Map<String, Object> result, String keyword, Object value, int depth, List<String> references) {
        if (keyword.equals("type")) {
            type(value, result);
        } else if (TEXT_KEYWORDS.contains(keyword)) {
            if (value instanceof String text) {
                result.put(keyword, shortened(text, MAX_TEXT_LENGTH));
            }
        } else if (COUNT_KEYWORDS.contains(keyword)) {
            if (value instanceof Integer count && count >= 0) {
                result.put(keyword, count);
            }
        } else if (NUMBER_KEYWORDS.contains(keyword)) {
            if (value instanceof Number) {
                result.put(keyword, value);
            }
        } else if (SCHEMAS.contains(keyword)) {
            result.put(keyword, schema(value, depth + 1, references));
        } else if (SCHEMA_LIST_KEYWORDS.contains(keyword)) {
            if (value instanceof List<?> list && !list.isEmpty()) {
                result.put(
                        keyword,
                        list.stream()
                                .map(one -> schema(one, depth + 1, references))
                                .toList());
            }
        } else if (SCHEMA_MAP_KEYWORDS.contains(keyword)) {
            if (value instanceof Map<?, ?> map) {
                result.put(keyword, members(map, depth, references));
            }
        } else {
            values(result, keyword, value);
        }
    }

    private void values(Map<String, Object> result, String keyword, Object value) {
        switch (keyword) {
            case "required" -> {
                if (value instanceof List<?> names) {
                    nodes += names.size() / PER_NODE;
                    result.put(
                            keyword,
                            names.stream()
                                    .limit(MAX_NODES)
                                    .filter(String.class::isInstance)
                                    .distinct()
                                    .toList());
                }
            }
            case "enum" -> {
                if (value instanceof List<?> options && !options.isEmpty() && isSmall(options)) {
                    result.put(keyword, options);
                }
            }
            case "const", "default" -> {
                if (isSmall(value)) {
                    result.put(keyword, value);
                }
            }
            case "uniqueItems" -> {
                if (value instanceof Boolean) {
                    result.put(keyword, value);
                }
            }
            case "multipleOf" -> {
                if (value instanceof Number number && number.doubleValue() > 0) {
                    result.put(keyword, value);
                }
            }
            case "pattern" -> {
                if (value instanceof String pattern && isPattern(pattern)) {
                    result.put(keyword, pattern);
                }
            }
            default -> {
                // Annotations, identifiers and unknown keywords constrain nothing.
            }
        }
    }

    private static void type(Object value, Map<String, Object> result) {
        if (value instanceof String type && TYPES.contains(type)) {
            result.put("type", type);
        } else if (value instanceof List<?> types && !types.isEmpty() && TYPES.containsAll(types)) {
            result.put("type", types.stream().distinct().toList());
        }
    }

    private Map<String, Object> members(Map<?, ?> map, int depth, List<String> references) {
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), schema(member, depth + 1, references)));
        return members;
    }

    /** Translates two keywords that OpenAPI 3.0 spells differently. */
    private static Map<String, Object> openApi(Map<String, Object> result, Map<?, ?> map) {
        if (Boolean.TRUE.equals(map.get("nullable")) && result.get("type") instanceof String type) {
            result.put("type", List.of(type, "null"));
        }
        exclusive(result, map, "exclusiveMinimum", "minimum");
        exclusive(result, map, "exclusiveMaximum", "maximum");
        return result;
    }

    private static void exclusive(Map<String, Object> result, Map<?, ?> map, String flag, String bound) {
        if (Boolean.TRUE.equals(map.get(flag)) && result.remove(bound) instanceof Number number) {
            result.put(flag, number);
        }
    }

    private static boolean isPattern(String pattern) {
        try {
            return pattern.length() <= MAX_PATTERN_LENGTH && Pattern.compile(pattern) != null;
        } catch (PatternSyntaxException _) {
            return false;
        }
    }

    private boolean isSmall(Object value) {
        try {
            int length = StrictJson.write(value).length();
            nodes += length / PER_NODE;
            return length <= MAX_VALUE_LENGTH;
        } catch (RuntimeException _) {
            return false;
        }
    }

    /** Truncates the text and removes characters that would break a log line. */
    public static String shortened(String text, int max) {
        return Text.truncate(text, max, "…").replaceAll("[\\p{Cc}\\p{Cs}&&[^\\n\\t]]", " ");
    }

    @SuppressWarnings("unchecked") // All keys were written above.
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
