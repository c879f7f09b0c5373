package dev.parley.workflow.definition.core.document;

import dev.parley.http.core.SingleLineText;
import dev.parley.problem.ViolationCode;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties of one object of the document and collects violations. A property that is null counts as absent.
 * A method that returns null has reported a violation, unless the property is optional.
 */
public final class ObjectReader {
    private final Map<?, ?> members;
    private final JsonPointer at;
    private final String owner;
    private final ViolationCollector violations;

    private ObjectReader(Map<?, ?> members, JsonPointer at, String owner, ViolationCollector violations) {
        this.members = members;
        this.at = at;
        this.owner = owner;
        this.violations = violations;
    }

    /**
     * @param owner the object's name in sentences, such as {@code "the workflow"}
     * @return null if the node is not an object
     */
    public static @Nullable ObjectReader of(
            @Nullable Object node, JsonPointer at, String owner, ViolationCollector violations) {
        if (node instanceof Map<?, ?> members) {
            return new ObjectReader(members, at, owner, violations);
        }
        violations.invalid(
                ViolationCode.WRONG_TYPE,
                at,
                capitalized(owner) + " must be an object, and it is " + whatIs(node) + ".",
                Map.of("expected", "object"));
        return null;
    }

    public JsonPointer at() {
        return at;
    }

    public ViolationCollector violations() {
        return violations;
    }

    /** The same fields under a more specific name. */
    public ObjectReader named(String newOwner) {
        return new ObjectReader(members, at, newOwner, violations);
    }

    /** The same fields with another collector of violations. */
    public ObjectReader reportingTo(ViolationCollector collector) {
        return new ObjectReader(members, at, owner, collector);
    }

    public String owner() {
        return owner;
    }

    /** Rejects unknown fields: they are usually typing errors, and would otherwise silently have no effect. */
    public void refuseOthers(ObjectShape shape) {
        for (Object key : members.keySet()) {
            String name = String.valueOf(key);
            if (!shape.has(name)) {
                violations.invalid(
                        ViolationCode.UNKNOWN_FIELD,
                        at.to(name),
                        "There is no field '" + PlainJson.shown(name) + "' in " + owner + ".");
            }
        }
    }

    public boolean has(String name) {
        return members.get(name) != null;
    }

    public @Nullable Object raw(String name) {
        return members.get(name);
    }

    /** Reads a property; null if it is absent or invalid. */
    public <T> @Nullable T read(DocumentProperty<T> property) {
        return property.required() || has(property.name()) ? require(property) : null;
    }

    /** Reads a property that is required here, even if its declaration makes it optional. */
    public <T> @Nullable T require(DocumentProperty<T> property) {
        String name = property.name();
        Object value = members.get(name);
        if (value == null) {
            violations.missing(ViolationCode.REQUIRED, at.to(name), missing(name));
            return null;
        }
        return property.reader().read(this, name, value);
    }

    /** Says what to do about an absent property, in the words of the editor where people choose it there. */
    private String missing(String name) {
        return switch (name) {
            case "provider", "tool_name", "tool_id" -> "Choose a tool for " + owner + ".";
            case "code_artifact_id" -> "Choose the code for " + owner + ".";
            case "instructions" -> "Enter instructions for " + owner + ".";
            default -> "The field '" + name + "' of " + owner + " is required.";
        };
    }

    /** The elements of an array; none if it is absent or invalid. */
    public List<?> elements(DocumentProperty<List<?>> property) {
        List<?> elements = read(property);
        return elements == null ? List.of() : elements;
    }

    /** Calls a reader with each element of an array that is an object; others are violations. */
    public void forEach(DocumentProperty<List<?>> property, String elementOwner, Consumer<ObjectReader> reader) {
        List<?> nodes = elements(property);
        for (int i = 0; i < nodes.size(); i++) {
            ObjectReader element = of(nodes.get(i), at.to(property.name()).to(i), elementOwner, violations);
            if (element != null) {
                reader.accept(element);
            }
        }
    }

    /** The object that a property holds; null if it is absent or invalid. */
    public @Nullable ObjectReader part(DocumentProperty<Object> property, ObjectShape shape) {
        return part(property, "'" + property.name() + "' of " + owner, shape);
    }

    public @Nullable ObjectReader part(DocumentProperty<Object> property, String partOwner, ObjectShape shape) {
        Object node = read(property);
        ObjectReader part = node == null ? null : of(node, at.to(property.name()), partOwner, violations);
        if (part != null) {
            part.refuseOthers(shape);
        }
        return part;
    }

    @Nullable
    String text(String name, Object value, int maxLength) {
        if (value instanceof String text && text.isBlank()) {
            violations.missing(
                    ViolationCode.REQUIRED,
                    at.to(name),
                    name.equals("instructions")
                            ? missing(name)
                            : "The field '" + name + "' of " + owner + " must not be blank.");
            return null;
        }
        return anyText(name, value, maxLength);
    }

    /** A name, which is {@link SingleLineText}. */
    @Nullable
    String singleLine(String name, Object value) {
        String text = text(name, value, DefinitionLimits.NAME);
        if (text != null && !violations.areOfStored() && !SingleLineText.is(text)) {
            violations.invalid(
                    ViolationCode.INVALID_CHARACTERS,
                    at.to(name),
                    "The field '" + name + "' of " + owner
                            + " must not hold control characters, such as line breaks, or turn the direction of writing.");
            return null;
        }
        return text;
    }

    @Nullable
    String anyText(String name, Object value, int maxLength) {
        if (!(value instanceof String text)) {
            wrong(name, "a string", value, ViolationCode.WRONG_TYPE, Map.of("expected", "string"));
            return null;
        }
        if (!DefinitionLimits.allow(text, maxLength)) {
            violations.invalid(
                    ViolationCode.TOO_LONG,
                    at.to(name),
                    "The field '%s' of %s may have at most %,d characters.".formatted(name, owner, maxLength),
                    Map.of("max", maxLength));
            return null;
        }
        if (!PlainJson.isText(text)) {
            violations.invalid(
                    ViolationCode.INVALID_CHARACTERS, at.to(name), "Text must not hold NUL or half a surrogate pair.");
            return null;
        }
        return text;
    }

    @Nullable
    Integer integer(String name, Object value, int min, int max) {
        boolean whole = value instanceof Integer || value instanceof Long;
        if (whole && value instanceof Number number && number.longValue() >= min && number.longValue() <= max) {
            return number.intValue();
        }
        wrong(
                name,
                "an integer from " + min + " to " + max,
                value,
                value instanceof Number ? ViolationCode.OUT_OF_RANGE : ViolationCode.WRONG_TYPE,
                value instanceof Number ? Map.of("min", min, "max", max) : Map.of("expected", "integer"));
        return null;
    }

    @Nullable
    Boolean flag(String name, Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        wrong(name, "true or false", value, ViolationCode.WRONG_TYPE, Map.of("expected", "boolean"));
        return null;
    }

    @Nullable
    List<?> list(String name, Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        wrong(name, "an array", value, ViolationCode.WRONG_TYPE, Map.of("expected", "array"));
        return null;
    }

    /** A word from a closed list. */
    <E> @Nullable E choice(String name, Object value, Map<String, E> words) {
        E chosen = value instanceof String text ? words.get(text) : null;
        if (chosen == null) {
            wrong(
                    name,
                    "one of " + String.join(", ", words.keySet()),
                    value,
                    ViolationCode.NOT_ONE_OF,
                    Map.of("allowed", List.copyOf(words.keySet())));
        }
        return chosen;
    }

    private void wrong(String name, String wanted, Object value, ViolationCode code, Map<String, ?> params) {
        violations.invalid(
                code,
                at.to(name),
                "The field '%s' of %s must be %s, and it is %s.".formatted(name, owner, wanted, whatIs(value)),
                params);
    }

    private static String whatIs(@Nullable Object value) {
        return value == null ? "null" : PlainJson.described(value);
    }

    private static String capitalized(String owner) {
        return Character.toUpperCase(owner.charAt(0)) + owner.substring(1);
    }
}
