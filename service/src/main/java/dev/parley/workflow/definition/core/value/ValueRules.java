package dev.parley.workflow.definition.core.value;

import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.NumberValues;
import dev.parley.workflow.definition.core.document.PlainJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The value rules, shared by definition values, trigger inputs, people's answers, and the results of models, tools and
 * code. Values are plain JDK values of a JSON document: {@code Map<String, ?>}, {@code List<?>}, {@code String},
 * {@code Boolean}, numbers, null.
 *
 * <p>Each method returns the coerced value: STRING a {@code String}, INTEGER a {@code Long} or beyond its range a
 * {@code BigInteger}, FLOAT a {@code BigDecimal}, BOOLEAN a {@code Boolean}, DATETIME an RFC 3339 {@code String} in
 * UTC, ARRAY an unmodifiable {@code List}, OBJECT an unmodifiable {@code Map} that keeps undeclared members. A broken
 * rule adds a violation, and the returned value must then be ignored.
 */
public final class ValueRules {
    /** An array may have 500,000 items, and each violation takes more memory than its item. */
    private static final int MAX_VIOLATIONS_PER_ARRAY = 100;

    private ValueRules() {}

    /** The value of an input; null is allowed if the input is optional. */
    public static @Nullable Object input(
            InputParameter input, @Nullable Object value, JsonPointer at, List<Violation> violations) {
        if (value == null) {
            if (input.required()) {
                violations.add(missing(at, "The input '" + input.name() + "' is required."));
            }
            return null;
        }
        return coerce(input.type(), input.items(), input.properties(), value, at, violations);
    }

    /** The same for an ARRAY of outputs: an item without an output is null. */
    public static @Nullable Object inputFromItems(
            InputParameter input, @Nullable Object value, JsonPointer at, List<Violation> violations) {
        ArrayItems items = input.items();
        return value instanceof List<?> list && items != null
                ? array(items, true, list, at, violations)
                : input(input, value, at, violations);
    }

    /** The value of an output, which is always required. */
    public static @Nullable Object output(
            OutputParameter output, @Nullable Object value, JsonPointer at, List<Violation> violations) {
        if (value == null) {
            violations.add(missing(at, "The output '" + output.name() + "' is required."));
            return null;
        }
        return coerce(output.type(), value, at, violations);
    }

    /**
     * All outputs of a task in declared order: each is required, and no others are allowed.
     *
     * @param at the location of the map; violations point to its members
     */
    public static Map<String, @Nullable Object> outputs(
            List<OutputParameter> declared, Map<String, ?> given, JsonPointer at, List<Violation> violations) {
        Map<String, @Nullable Object> coerced = new LinkedHashMap<>();
        for (OutputParameter output : declared) {
            String name = output.name();
            coerced.put(name, output(output, given.get(name), at.to(name), violations));
        }
        for (String name : given.keySet()) {
            if (!coerced.containsKey(name)) {
                violations.add(invalid(
                        ViolationCode.UNKNOWN_FIELD,
                        at.to(name),
                        "There is no output named '" + PlainJson.shown(name) + "'."));
            }
        }
        return Collections.unmodifiableMap(coerced);
    }

    /**
     * A value of an input's type.
     *
     * @param items the type of an ARRAY's items; null allows any
     * @param properties members of an OBJECT; empty allows any object
     */
    public static @Nullable Object coerce(
            ValueType type,
            @Nullable ArrayItems items,
            List<ObjectProperty> properties,
            Object value,
            JsonPointer at,
            List<Violation> violations) {
        return switch (type) {
            case STRING -> text(value, "STRING", at, violations);
            case INTEGER -> integer(value, at, violations);
            case FLOAT -> decimal(value, at, violations);
            case BOOLEAN -> truth(value, at, violations);
            case ARRAY -> array(items, value, at, violations);
            case OBJECT -> object(properties, value, at, violations);
        };
    }

    /** A value of an output's type; a file is its URI, or its text before it is stored. */
    public static @Nullable Object coerce(OutputType type, Object value, JsonPointer at, List<Violation> violations) {
        if (type == OutputType.DATETIME) {
            return dateTime(value, at, violations);
        }
        return type.valueType() == ValueType.STRING
                ? text(value, type.name(), at, violations)
                : coerce(type.valueType(), null, List.of(), value, at, violations);
    }

    private static @Nullable Object text(Object value, String type, JsonPointer at, List<Violation> violations) {
        if (value instanceof String text) {
            if (!PlainJson.isText(text)) {
                violations.add(invalid(
                        ViolationCode.INVALID_CHARACTERS, at, "Text must not hold NUL or half a surrogate pair."));
            }
            return text;
        }
        return refused(value, ValueType.STRING, "a string, as " + type + " needs", at, violations);
    }

    private static @Nullable Object integer(Object value, JsonPointer at, List<Violation> violations) {
        Number integer = NumberValues.integer(value);
        return integer != null
                ? integer
                : refused(
                        value,
                        ValueType.INTEGER,
                        "an INTEGER of at most " + DefinitionLimits.DIGITS + " digits, as a number or in a string",
                        at,
                        violations);
    }

    private static @Nullable Object decimal(Object value, JsonPointer at, List<Violation> violations) {
        BigDecimal decimal = NumberValues.decimal(value);
        return decimal != null
                ? decimal
                : refused(value, ValueType.FLOAT, "a FLOAT, as a number or in a string", at, violations);
    }

    private static @Nullable Object truth(Object value, JsonPointer at, List<Violation> violations) {
        return switch (value) {
            case Boolean truth -> truth;
            case String text when text.equals("true") -> true;
            case String text when text.equals("false") -> false;
            default -> refused(value, ValueType.BOOLEAN, "a BOOLEAN: true, false, 'true' or 'false'", at, violations);
        };
    }

    private static @Nullable Object dateTime(Object value, JsonPointer at, List<Violation> violations) {
        String normal = value instanceof String text ? DateTimes.normal(text) : null;
        return normal != null
                ? normal
                : refused(
                        value,
                        OutputType.DATETIME,
                        "a DATETIME: an RFC 3339 timestamp such as 2026-01-31T09:30:00Z",
                        at,
                        violations);
    }

    private static @Nullable Object array(
            @Nullable ArrayItems items, Object value, JsonPointer at, List<Violation> violations) {
        if (!(value instanceof List<?> list)) {
            return refused(value, ValueType.ARRAY, "an ARRAY", at, violations);
        }
        return items == null ? anyShape(list, at, violations) : array(items, false, list, at, violations);
    }

    private static List<@Nullable Object> array(
            ArrayItems items, boolean isNullable, List<?> list, JsonPointer at, List<Violation> violations) {
        List<@Nullable Object> coerced = new ArrayList<>(list.size());
        int most = violations.size() + MAX_VIOLATIONS_PER_ARRAY;
        for (int i = 0; i < list.size() && violations.size() < most; i++) {
            Object item = list.get(i);
            if (item == null && isNullable) {
                coerced.add(null);
            } else if (item == null) {
                violations.add(invalid(
                        ViolationCode.REQUIRED,
                        at.to(i),
                        "An item must be of type " + items.type() + ", and this one is null."));
            } else {
                coerced.add(coerce(items.type(), items.items(), items.properties(), item, at.to(i), violations));
            }
        }
        return Collections.unmodifiableList(coerced);
    }

    private static @Nullable Object object(
            List<ObjectProperty> properties, Object value, JsonPointer at, List<Violation> violations) {
        if (!(value instanceof Map<?, ?> members)) {
            return refused(value, ValueType.OBJECT, "an OBJECT", at, violations);
        }
        Map<String, ObjectProperty> declared = new HashMap<>();
        for (ObjectProperty property : properties) {
            declared.put(property.name(), property);
            if (property.required() && members.get(property.name()) == null) {
                violations.add(missing(at.to(property.name()), "The property '" + property.name() + "' is required."));
            }
        }
        Map<String, @Nullable Object> coerced = new LinkedHashMap<>();
        for (Map.Entry<?, ?> member : members.entrySet()) {
            String name = String.valueOf(member.getKey());
            Object inner = member.getValue();
            ObjectProperty property = declared.get(name);
            Object kept = property == null || inner == null
                    ? anyShape(inner, at.to(name), violations)
                    : coerce(property.type(), null, List.of(), inner, at.to(name), violations);
            if (!PlainJson.isText(name)) {
                violations.add(invalid(
                        ViolationCode.INVALID_CHARACTERS,
                        at,
                        "A member's name must not hold NUL or half a surrogate pair."));
            }
            coerced.put(name, kept);
        }
        return Collections.unmodifiableMap(coerced);
    }

    private static @Nullable Object anyShape(@Nullable Object value, JsonPointer at, List<Violation> violations) {
        try {
            return PlainJson.copy(value, 0);
        } catch (PlainJson.NotJson reason) {
            violations.add(invalid(reason.code, at, "The value " + reason.getMessage() + ".")
                    .with(reason.params()));
            return null;
        }
    }

    private static @Nullable Object refused(
            Object value, Enum<?> expected, String wanted, JsonPointer at, List<Violation> violations) {
        String detail = "The value must be " + wanted + ", and it is " + PlainJson.described(value) + ".";
        violations.add(invalid(ViolationCode.WRONG_TYPE, at, detail).with("expected", expected.name()));
        return null;
    }

    private static Violation missing(JsonPointer at, String detail) {
        return new Violation(Violation.MISSING_REQUIRED_FIELD, ViolationCode.REQUIRED, at.toString(), detail);
    }

    private static Violation invalid(ViolationCode code, JsonPointer at, String detail) {
        return new Violation(Violation.INVALID_TYPE, code, at.toString(), detail);
    }
}
