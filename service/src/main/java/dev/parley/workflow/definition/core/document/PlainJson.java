package dev.parley.workflow.definition.core.document;

import dev.parley.problem.Text;
import dev.parley.problem.ViolationCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values of any shape, such as members of an OBJECT without a declared property: JSON that can be stored, and how a
 * sentence shows it.
 */
public final class PlainJson {
    private static final int MAX_SHOWN_CHARACTERS = 60;
    private static final Pattern UNSHOWABLE = Pattern.compile("[\\p{Cc}\\p{Cs}]");

    private PlainJson() {}

    /**
     * Whether a text can be stored and sent: PostgreSQL rejects NUL, and UTF-8 cannot encode half of a surrogate pair.
     */
    public static boolean isText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c)) {
                i++;
                if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * A deep copy, or the reason why the value is not JSON.
     *
     * @throws NotJson with the end of a sentence, such as {@code "a number that is too long"}
     */
    public static @Nullable Object copy(@Nullable Object value, int depth) throws NotJson {
        if (depth > DefinitionLimits.VALUE_DEPTH) {
            throw new NotJson(
                    ViolationCode.TOO_DEEP, "is nested deeper than " + DefinitionLimits.VALUE_DEPTH + " levels");
        }
        return switch (value) {
            case null -> null;
            case Boolean truth -> truth;
            case String text when isText(text) -> text;
            case Integer number -> number.longValue();
            case Long number -> number;
            case BigInteger number when NumberValues.integer(number) != null -> number;
            case BigDecimal number when NumberValues.decimal(number) != null -> number;
            case Double number when Double.isFinite(number) -> BigDecimal.valueOf(number);
            case List<?> items -> copyList(items, depth);
            case Map<?, ?> members -> copyMap(members, depth);
            case Number _ -> throw new NotJson(ViolationCode.OUT_OF_RANGE, "holds a number that is out of range");
            case String _ ->
                throw new NotJson(ViolationCode.INVALID_CHARACTERS, "holds text with NUL or half a surrogate pair");
            default -> throw new NotJson(ViolationCode.WRONG_TYPE, "holds something that is not JSON");
        };
    }

    private static List<@Nullable Object> copyList(List<?> items, int depth) throws NotJson {
        List<@Nullable Object> copy = new ArrayList<>(items.size());
        for (Object item : items) {
            copy.add(copy(item, depth + 1));
        }
        return Collections.unmodifiableList(copy);
    }

    private static Map<String, @Nullable Object> copyMap(Map<?, ?> members, int depth) throws NotJson {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> member : members.entrySet()) {
            String name = String.valueOf(member.getKey());
            if (!isText(name)) {
                throw new NotJson(
                        ViolationCode.INVALID_CHARACTERS, "has a member whose name holds NUL or half a surrogate pair");
            }
            copy.put(name, copy(member.getValue(), depth + 1));
        }
        return Collections.unmodifiableMap(copy);
    }

    /** A description of the actual value, short enough for a sentence. */
    public static String described(Object value) {
        return switch (value) {
            case String text -> "the string '" + shown(text) + "'";
            case Boolean truth -> String.valueOf(truth);
            case List<?> _ -> "an array";
            case Map<?, ?> _ -> "an object";
            case BigDecimal number when number.precision() > MAX_SHOWN_CHARACTERS -> "a number of many digits";
            case BigInteger number when number.bitLength() > MAX_SHOWN_CHARACTERS * 3 -> "a number of many digits";
            case Number number -> "the number " + number;
            default -> "no JSON value";
        };
    }

    /** The start of untrusted text, without characters that would break a log line. */
    public static String shown(String text) {
        String start = Text.truncate(text, MAX_SHOWN_CHARACTERS, "…");
        boolean plain = start.chars().allMatch(c -> c >= ' ' && c < 0x7F);
        return plain ? start : UNSHOWABLE.matcher(start).replaceAll("?");
    }

    /** The reason why a value is not JSON. */
    public static final class NotJson extends Exception {
        private static final long serialVersionUID = 1;

        public final ViolationCode code;

        NotJson(ViolationCode code, String reason) {
            super(reason, null, false, false);
            this.code = code;
        }

        public Map<String, Integer> params() {
            return code == ViolationCode.TOO_DEEP ? Map.of("max", DefinitionLimits.VALUE_DEPTH) : Map.of();
        }
    }
}
