package dev.parley.tool.source;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Keywords of which the outer one of two merged schemas counts. */
    private static final Set<String> ANNOTATIONS = Set.of("title", "description", "default");

    /** Keywords that forbid null without a type. */
    private static final Set<String> ALTERNATIVES = Set.of("anyOf", "oneOf", "allOf");

    private static final int MAX_HIDDEN_DEPTH = 4;

    private final @Nullable Object document;

    /** The keyword of OpenAPI that marks properties to leave out; null to keep {@code allOf} and all properties. */
    private final @Nullable String hiddenBy;

    /** The properties that were left out of a schema. */
    private final IdentityHashMap<Object, Set<String>> hidden = new IdentityHashMap<>();

    private int nodes;

    private SchemaTree(@Nullable Object document, @Nullable String hiddenBy) {
        this.document = document;
        this.hiddenBy = hiddenBy;
    }

    /** @param hidden the properties at the top that were left out */
    public record PartialSchema(Map<String, Object> schema, Set<String> hidden) {}

    /**
     * @param schema any value; a value that is no schema accepts anything
     * @param document the root of references
     */
    public static Map<String, Object> of(@Nullable Object schema, @Nullable Object document) {
        return new SchemaTree(document, null).read(schema).schema();
    }

    /** The schema of what is sent to a web API: without {@code readOnly} properties, and with {@code allOf} merged. */
    public static PartialSchema ofRequest(@Nullable Object schema, @Nullable Object document) {
        return new SchemaTree(document, "readOnly").read(schema);
    }

    /** The schema of what a web API returns: without {@code writeOnly} properties, and with {@code allOf} merged. */
    public static PartialSchema ofResponse(@Nullable Object schema, @Nullable Object document) {
        return new SchemaTree(document, "writeOnly").read(schema);
    }

    private PartialSchema read(@Nullable Object schema) {
        Object result = schema(schema, 0, List.of());
        return new PartialSchema(
                result instanceof Map<?, ?> map ? cast(map) : Map.of(), hidden.getOrDefault(result, Set.of()));
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
            Object resolved = schema(resolve(document, reference), depth, more);
            Map<Object, @Nullable Object> siblings = new LinkedHashMap<>(map);
            siblings.remove("$ref");
            return siblings.isEmpty()
                            || !(resolved instanceof Map<?, ?> target)
                            || !(schema(siblings, depth, references) instanceof Map<?, ?> outer)
                    ? resolved
                    : nullable(merged(cast(outer), cast(target)), map);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            Object read =
                    key instanceof String keyword && value != null ? keyword(keyword, value, depth, references) : null;
            if (read != null) {
                result.put(String.valueOf(key), read);
            }
        });
        if (map.get("properties") instanceof Map<?, ?> properties) {
            Set<String> names = properties.entrySet().stream()
                    .filter(property -> isHidden(property.getValue(), 0))
                    .map(property -> String.valueOf(property.getKey()))
                    .collect(Collectors.toSet());
            hide(result, names);
        }
        exclusive(result, map, "exclusiveMinimum", "minimum");
        exclusive(result, map, "exclusiveMaximum", "maximum");
        return nullable(hiddenBy == null ? result : withoutAllOf(result), map);
    }

    private boolean isHidden(@Nullable Object node, int depth) {
        if (hiddenBy == null || depth > MAX_HIDDEN_DEPTH || !(node instanceof Map<?, ?> map)) {
            return false;
        }
        return Boolean.TRUE.equals(map.get(hiddenBy))
                || (map.get("$ref") instanceof String reference && isHidden(resolve(document, reference), depth + 1))
                || (map.get("allOf") instanceof List<?> all
                        && all.stream().limit(MAX_HIDDEN_DEPTH).anyMatch(one -> isHidden(one, depth + 1)));
    }

    /** Leaves properties out, also where the schema or an alternative of it requires them. */
    private void hide(Map<String, Object> schema, Set<String> names) {
        if (names.isEmpty()) {
            return;
        }
        hidden.put(schema, names);
        strip(schema, names);
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.keySet().removeAll(names);
        }
        for (String keyword : List.of("anyOf", "oneOf")) {
            if (schema.get(keyword) instanceof List<?> alternatives) {
                for (Object alternative : alternatives) {
                    if (alternative instanceof Map<?, ?> map && !map.isEmpty()) {
                        strip(cast(map), names);
                    }
                }
            }
        }
    }

    private static void strip(Map<String, Object> schema, Set<String> names) {
        if (schema.get("required") instanceof List<?> required) {
            List<?> left =
                    required.stream().filter(name -> !names.contains(name)).toList();
            if (left.isEmpty()) {
                schema.remove("required");
            } else {
                schema.put("required", left);
            }
        }
    }

    /** Merges the parts of {@code allOf} into the schema, as far as they allow it. */
    private Map<String, Object> withoutAllOf(Map<String, Object> schema) {
        if (!(schema.get("allOf") instanceof List<?> parts)
                || schema.containsKey("if")
                || parts.stream().anyMatch(part -> !(part instanceof Map<?, ?> map) || map.containsKey("if"))) {
            return schema;
        }
        Map<String, Object> result = new LinkedHashMap<>(schema);
        result.remove("allOf");
        hidden.put(result, hidden.getOrDefault(schema, Set.of()));
        for (Object part : parts) {
            result = merged(result, cast((Map<?, ?>) part));
        }
        return result;
    }

    /** A schema that accepts what both accept. That one part forbids further members is dropped: the other has some. */
    private Map<String, Object> merged(Map<String, Object> outer, Map<String, Object> inner) {
        Map<String, Object> result = new LinkedHashMap<>(inner);
        Map<String, Object> conflicts = new LinkedHashMap<>();
        outer.forEach((keyword, value) -> {
            Object other = inner.get(keyword);
            if (other == null || other.equals(value) || ANNOTATIONS.contains(keyword)) {
                result.put(keyword, value);
            } else if (keyword.equals("required") && value instanceof List<?> one && other instanceof List<?> two) {
                result.put(
                        keyword,
                        Stream.concat(two.stream(), one.stream()).distinct().toList());
            } else if (keyword.equals("properties")) {
                result.put(keyword, mergedMembers((Map<?, ?>) value, (Map<?, ?>) other));
            } else if (keyword.equals("additionalProperties")) {
                result.put(keyword, Boolean.FALSE.equals(value) ? other : value);
            } else {
                conflicts.put(keyword, value);
            }
        });
        if (!outer.equals(inner) && Boolean.FALSE.equals(result.get("additionalProperties"))) {
            result.remove("additionalProperties");
        }
        if (!conflicts.isEmpty()) {
            List<Object> all = new ArrayList<>(result.get("allOf") instanceof List<?> list ? list : List.of());
            all.addAll(conflicts.remove("allOf") instanceof List<?> list ? list : List.of());
            if (!conflicts.isEmpty()) {
                all.add(conflicts);
            }
            result.put("allOf", all);
        }
        Set<String> names = new HashSet<>(hidden.getOrDefault(outer, Set.of()));
        names.addAll(hidden.getOrDefault(inner, Set.of()));
        hide(result, names);
        return result;
    }

    private Map<String, Object> mergedMembers(Map<?, ?> outer, Map<?, ?> inner) {
        Map<String, Object> members = new LinkedHashMap<>(cast(inner));
        cast(outer)
                .forEach((name, member) -> members.merge(
                        name,
                        member,
                        (one, two) -> one instanceof Map<?, ?> target && two instanceof Map<?, ?> more
                                ? merged(cast(more), cast(target))
                                : two));
        return members;
    }

    /** The value of a keyword; null for one that is not well-formed, or that constrains nothing. */
    private @Nullable Object keyword(String keyword, Object value, int depth, List<String> references) {
        return switch (keyword) {
            case "type" -> type(value);
            case "title", "description", "format", "contentMediaType" ->
                value instanceof String text ? shortened(text, MAX_TEXT_LENGTH) : null;
            case "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties",
                    "minContains",
                    "maxContains" -> value instanceof Integer count && count >= 0 ? count : null;
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" -> value instanceof Number ? value : null;
            case "multipleOf" -> value instanceof Number number && number.doubleValue() > 0 ? value : null;
            case "uniqueItems" -> value instanceof Boolean ? value : null;
            case "pattern" -> value instanceof String pattern && isPattern(pattern) ? pattern : null;
            case "enum" -> value instanceof List<?> options && !options.isEmpty() && isSmall(options) ? options : null;
            case "const", "default" -> isSmall(value) ? value : null;
            case "required" -> value instanceof List<?> names ? required(names) : null;
            case "items",
                    "additionalProperties",
                    "not",
                    "if",
                    "then",
                    "else",
                    "contains",
                    "propertyNames",
                    "unevaluatedItems",
                    "unevaluatedProperties" -> schema(value, depth + 1, references);
            case "allOf", "anyOf", "oneOf", "prefixItems" ->
                value instanceof List<?> list && !list.isEmpty()
                        ? list.stream()
                                .map(one -> schema(one, depth + 1, references))
                                .toList()
                        : null;
            case "properties", "dependentSchemas" ->
                value instanceof Map<?, ?> map ? members(map, depth, references) : null;
            default -> null;
        };
    }

    private List<?> required(List<?> names) {
        nodes += names.size() / PER_NODE;
        return names.stream()
                .limit(MAX_NODES)
                .filter(String.class::isInstance)
                .distinct()
                .toList();
    }

    private static @Nullable Object type(Object value) {
        if (value instanceof List<?> types && !types.isEmpty()) {
            List<String> names = types.stream().map(String::valueOf).distinct().toList();
            return !TYPES.containsAll(names) ? null : names.size() == 1 ? names.getFirst() : names;
        }
        return value instanceof String type && TYPES.contains(type) ? type : null;
    }

    private Map<String, Object> members(Map<?, ?> map, int depth, List<String> references) {
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), schema(member, depth + 1, references)));
        return members;
    }

    /** OpenAPI 3.0 allows null by a keyword of its own. */
    private Map<String, Object> nullable(Map<String, Object> result, Map<?, ?> map) {
        if (!Boolean.TRUE.equals(map.get("nullable"))) {
            return result;
        }
        if (result.get("enum") instanceof List<?> options && !options.contains(null)) {
            List<@Nullable Object> more = new ArrayList<>(options);
            more.add(null);
            result.put("enum", more);
        }
        if (result.get("type") instanceof String type) {
            result.put("type", List.of(type, "null"));
        } else if (result.get("type") == null && result.keySet().stream().anyMatch(ALTERNATIVES::contains)) {
            Map<String, Object> either = new LinkedHashMap<>();
            either.put("anyOf", List.of(result, Map.of("type", "null")));
            return either;
        }
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
