package dev.parley.workflow.definition.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.document.JsonPointer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of the value rules for arbitrary values. */
class ValuesPropertyTest {
    private static final JsonPointer AT = JsonPointer.ROOT;

    @Property(tries = 500)
    void everyIntegerSurvivesAsNumberAndAsString(@ForAll BigInteger integer) {
        Object expected = integer.bitLength() < 64 ? (Object) integer.longValue() : integer;

        assertThat(accepted(ValueType.INTEGER, integer)).isEqualTo(expected);
        assertThat(accepted(ValueType.INTEGER, integer.toString())).isEqualTo(expected);
        assertThat(accepted(ValueType.INTEGER, new BigDecimal(integer).setScale(2)))
                .isEqualTo(expected);
    }

    @Property(tries = 500)
    void everyDecimalInRangeKeepsItsDigits(@ForAll BigDecimal decimal) {
        assertThat(accepted(ValueType.FLOAT, decimal)).isEqualTo(decimal);
        assertThat(accepted(ValueType.FLOAT, decimal.toString())).isEqualTo(decimal);
    }

    @Property(tries = 500)
    void everyFiniteDoubleSurvivesARoundTrip(@ForAll double number) {
        BigDecimal value = (BigDecimal) accepted(ValueType.FLOAT, number);

        assertThat(value.doubleValue()).isEqualTo(number == 0 ? 0 : number);
    }

    @Property(tries = 2000)
    void aValueIsEitherRefusedOrCoercedForGood(@ForAll("anything") Object value, @ForAll ValueType type) {
        List<Violation> violations = new ArrayList<>();
        Object once = ValueRules.coerce(type, null, List.of(), value, AT, violations);
        if (violations.isEmpty()) {
            assertThat(naivelyOfType(type, value)).isTrue();
            assertThat(accepted(type, Objects.requireNonNull(once))).isEqualTo(once);
        } else {
            assertThat(naivelyOfType(type, value)).isFalse();
        }
    }

    /** A naive implementation of the table in docs/reference/workflow-documents.md. */
    private static boolean naivelyOfType(ValueType type, Object value) {
        return switch (type) {
            case STRING -> value instanceof String;
            case INTEGER ->
                isNumber(value)
                        && new BigDecimal(value.toString().strip())
                                        .stripTrailingZeros()
                                        .scale()
                                <= 0;
            case FLOAT -> isNumber(value);
            case BOOLEAN -> value instanceof Boolean || value.equals("true") || value.equals("false");
            case ARRAY -> value instanceof List<?>;
            case OBJECT -> value instanceof Map<?, ?>;
        };
    }

    private static boolean isNumber(Object value) {
        if (!(value instanceof Number) && !(value instanceof String)) {
            return false;
        }
        try {
            return new BigDecimal(value.toString().strip()).abs().compareTo(new BigDecimal(Double.MAX_VALUE)) <= 0;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }

    @Provide
    Arbitrary<Object> anything() {
        Arbitrary<Object> scalars = Arbitraries.oneOf(List.of(
                Arbitraries.strings().ascii().excludeChars('\0').ofMaxLength(8).map(Object.class::cast),
                Arbitraries.strings()
                        .withChars("0123456789.-+e")
                        .ofMinLength(1)
                        .ofMaxLength(4)
                        .map(Object.class::cast),
                Arbitraries.of("true", "false", "True", "NaN", "Infinity", "1e5", "-0", "0.0")
                        .map(Object.class::cast),
                Arbitraries.longs().map(Object.class::cast),
                Arbitraries.bigDecimals().map(Object.class::cast),
                Arbitraries.of(true, false).map(Object.class::cast)));
        Arbitrary<Object> lists = scalars.list().ofMaxSize(3).map(Object.class::cast);
        Arbitrary<Object> maps = Combinators.combine(
                        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(3), Arbitraries.oneOf(scalars, lists))
                .as(Map::of);
        return Arbitraries.oneOf(scalars, lists, maps);
    }

    private static Object accepted(ValueType type, Object value) {
        List<Violation> violations = new ArrayList<>();
        Object coerced = ValueRules.coerce(type, null, List.of(), value, AT, violations);
        assertThat(violations).isEmpty();
        return Objects.requireNonNull(coerced);
    }
}
