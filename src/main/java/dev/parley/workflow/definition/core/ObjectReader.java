package dev.parley.workflow.definition.core;

import dev.parley.http.core.SingleLineText;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one object of the document and collects violations. A field that is null counts as absent. A
 * method that returns null has reported a violation, unless the field is optional.
 */
final class ObjectReader {
    private final Map<?, ?> members;
    private final JsonPointer at;
    private final String owner;
    private final ViolationCollector faults;

    private ObjectReader(Map<?, ?> members, JsonPointer at, String owner, ViolationCollector faults) {
        this.members = members;
        this.at = at;
        this.owner = owner;
        this.faults = faults;
    }

    /**
     * @param owner the object's name in sentences, such as {@code "the workflow"}
     * @return null if the node is not an object
     */
    static @Nullable ObjectReader of(@Nullable Object node, JsonPointer at, String owner, ViolationCollector faults) {
        if (node instanceof Map<?, ?> members) {
            return new ObjectReader(members, at, owner, faults);
        }
        faults.invalid(at, sentence(owner) + " must be an object, and it is " + whatIs(node) + ".");
        return null;
    }

    JsonPointer at() {
        return at;
    }

    ViolationCollector faults() {
        return faults;
    }

    /** The same fields under a more specific name. */
    ObjectReader named(String newOwner) {
        return new ObjectReader(members, at, newOwner, faults);
    }

    String owner() {
        return owner;
    }

    /** Rejects unknown fields: they are usually typing errors, and would otherwise silently have no effect. */
    void refuseOthers(Predicate<String> known) {
        for (Object key : members.keySet()) {
            String name = String.valueOf(key);
            if (!known.test(name)) {
                faults.invalid(at.to(name), "There is no field '" + ValueRules.shown(name) + "' in " + owner + ".");
            }
        }
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    @Nullable
    Object raw(String name) {
        return members.get(name);
    }

    /** A required string of 1 to {@code longest} code points that is not blank. */
    @Nullable
    String text(String name, int longest) {
        Object value = required(name);
        if (value == null) {
            return null;
        }
        if (value instanceof String text && text.isBlank()) {
            faults.missing(at.to(name), "The field '" + name + "' of " + owner + " must not be blank.");
            return null;
        }
        return checkedText(name, value, longest);
    }

    /** A required name, which is {@link SingleLineText}. */
    @Nullable
    String name(String name) {
        String text = text(name, DefinitionLimits.NAME);
        if (text != null && !faults.areOfStored() && !SingleLineText.is(text)) {
            faults.invalid(
                    at.to(name),
                    "The field '" + name + "' of " + owner
                            + " must not hold control characters, such as line breaks, or turn the direction of writing.");
            return null;
        }
        return text;
    }

    /** An optional string of at most {@code longest} code points. */
    @Nullable
    String optionalText(String name, int longest) {
        Object value = members.get(name);
        return value == null ? null : checkedText(name, value, longest);
    }

    private @Nullable String checkedText(String name, Object value, int longest) {
        if (!(value instanceof String text)) {
            wrong(name, "a string", value);
            return null;
        }
        if (!DefinitionLimits.allow(text, longest)) {
            faults.invalid(
                    at.to(name),
                    "The field '%s' of %s may have at most %,d characters.".formatted(name, owner, longest));
            return null;
        }
        if (!PlainJson.isText(text)) {
            faults.invalid(at.to(name), "Text must not hold NUL or half a surrogate pair.");
            return null;
        }
        return text;
    }

    /** A required integer from 1 to 2^31 - 1, for ids that are integers. */
    @Nullable
    Integer id(String name) {
        Object value = required(name);
        boolean whole = value instanceof Integer || value instanceof Long;
        if (whole
                && value instanceof Number number
                && number.longValue() > 0
                && number.longValue() <= Integer.MAX_VALUE) {
            return number.intValue();
        }
        if (value != null) {
            wrong(name, "an integer from 1 to " + Integer.MAX_VALUE, value);
        }
        return null;
    }

    /** An optional integer within bounds. */
    @Nullable
    Integer optionalInteger(String name, int least, int most) {
        Object value = raw(name);
        boolean whole = value instanceof Integer || value instanceof Long;
        if (whole && value instanceof Number number && number.longValue() >= least && number.longValue() <= most) {
            return number.intValue();
        }
        if (value != null) {
            wrong(name, "an integer from " + least + " to " + most, value);
        }
        return null;
    }

    /** An optional boolean; absent is false. */
    boolean flag(String name) {
        Object value = members.get(name);
        if (value instanceof Boolean truth) {
            return truth;
        }
        if (value != null) {
            wrong(name, "true or false", value);
        }
        return false;
    }

    /** A required array. */
    @Nullable
    List<?> list(String name) {
        return required(name) == null ? null : optionalList(name);
    }

    /** An optional array; empty if absent or invalid. */
    List<?> optionalList(String name) {
        Object value = members.get(name);
        if (value instanceof List<?> list) {
            return list;
        }
        if (value != null) {
            wrong(name, "an array", value);
        }
        return List.of();
    }

    /** A required word from a closed list. */
    <E> @Nullable E choice(String name, Map<String, E> words) {
        return required(name) == null ? null : optionalChoice(name, words);
    }

    /** An optional word from a closed list. */
    <E> @Nullable E optionalChoice(String name, Map<String, E> words) {
        Object value = members.get(name);
        if (value == null) {
            return null;
        }
        E chosen = value instanceof String text ? words.get(text) : null;
        if (chosen == null) {
            wrong(name, "one of " + String.join(", ", words.keySet()), value);
        }
        return chosen;
    }

    private @Nullable Object required(String name) {
        Object value = members.get(name);
        if (value == null) {
            faults.missing(at.to(name), "The field '" + name + "' of " + owner + " is required.");
        }
        return value;
    }

    private void wrong(String name, String wanted, Object value) {
        faults.invalid(
                at.to(name),
                "The field '%s' of %s must be %s, and it is %s.".formatted(name, owner, wanted, whatIs(value)));
    }

    private static String whatIs(@Nullable Object value) {
        return value == null ? "null" : ValueRules.described(value);
    }

    private static String sentence(String owner) {
        return Character.toUpperCase(owner.charAt(0)) + owner.substring(1);
    }
}
