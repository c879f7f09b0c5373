package dev.parley.workflow.definition.core.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Numbers by the value rules, always exact. An INTEGER is a {@link Long} or, beyond its range, a {@link BigInteger}; a
 * FLOAT is a {@link BigDecimal}, so that an amount of money keeps its decimals, within the range of an IEEE double. A
 * string is accepted if it spells a number, and its size is checked before any work: {@code 1e999999999} costs nothing.
 */
public final class NumberValues {
    private static final Pattern SPELLED =
            Pattern.compile("[+-]?+(?:[0-9]++\\.?+[0-9]*+|\\.[0-9]++)(?:[eE][+-]?+[0-9]{1,9}+)?+");
    private static final BigDecimal MAX_VALUE = new BigDecimal(Double.MAX_VALUE);

    /** The decimal exponents of the largest and of the smallest double. */
    private static final int MAX_MAGNITUDE = 309;

    private static final int SMALLEST_MAGNITUDE = -323;

    /** Bits that hold {@link DefinitionLimits#DIGITS} decimal digits. */
    private static final int BITS = DefinitionLimits.DIGITS * 10 / 3;

    private NumberValues() {}

    /** An integer, or null: {@code 3}, {@code 3.0} and {@code "3"} are accepted, {@code 3.5} is not. */
    public static @Nullable Number integer(Object value) {
        if (value instanceof Long || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        BigDecimal exact = exact(value);
        if (exact == null) {
            return null;
        }
        if (exact.signum() == 0) {
            return 0L;
        }
        long magnitude = magnitude(exact);
        if (magnitude <= 0
                || magnitude > DefinitionLimits.DIGITS
                || exact.stripTrailingZeros().scale() > 0) {
            return null;
        }
        BigInteger integer = exact.toBigIntegerExact();
        return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : (Number) integer;
    }

    /** A finite number within a double's range, or null. */
    public static @Nullable BigDecimal decimal(Object value) {
        BigDecimal exact = exact(value);
        if (exact == null) {
            return null;
        }
        if (exact.signum() == 0) {
            return Math.abs((long) exact.scale()) <= DefinitionLimits.DIGITS ? exact : BigDecimal.ZERO;
        }
        long magnitude = magnitude(exact);
        boolean inRange = magnitude >= SMALLEST_MAGNITUDE
                && magnitude <= MAX_MAGNITUDE
                && exact.abs().compareTo(MAX_VALUE) <= 0;
        return inRange ? exact : null;
    }

    private static @Nullable BigDecimal exact(Object value) {
        return switch (value) {
            case Integer number -> BigDecimal.valueOf(number);
            case Long number -> BigDecimal.valueOf(number);
            case BigInteger number when number.bitLength() <= BITS -> new BigDecimal(number);
            case BigDecimal number when number.unscaledValue().bitLength() <= BITS -> number;
            case Double number when Double.isFinite(number) -> BigDecimal.valueOf(number);
            case Float number when Float.isFinite(number) -> new BigDecimal(number.toString());
            case String text -> spelled(text);
            default -> null;
        };
    }

    private static @Nullable BigDecimal spelled(String text) {
        String trimmed = text.length() <= 2 * DefinitionLimits.DIGITS ? text.strip() : text;
        if (trimmed.length() > DefinitionLimits.DIGITS
                || !SPELLED.matcher(trimmed).matches()) {
            return null;
        }
        return new BigDecimal(trimmed);
    }

    /** Digits before the decimal point; zero or negative for numbers below one. */
    private static long magnitude(BigDecimal number) {
        return (long) number.precision() - number.scale();
    }
}
