package dev.parley.workflow.definition.core.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.CpuTime;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.document.JsonPointer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The value rules by type of docs/reference/workflow-documents.md, row by row. */
class ValueRulesTest {
    private static final BigInteger HUGE = new BigInteger("123456789012345678901234567890");
    private static final JsonPointer AT = JsonPointer.ROOT.to("value");

    private final List<Violation> violations = new ArrayList<>();

    static Stream<Arguments> accepted() {
        return Stream.of(
                arguments(ValueType.STRING, "text", "text"),
                arguments(ValueType.STRING, "", ""),
                arguments(ValueType.STRING, "\ud83d\ude00", "\ud83d\ude00"),
                arguments(ValueType.INTEGER, 3, 3L),
                arguments(ValueType.INTEGER, 3L, 3L),
                arguments(ValueType.INTEGER, "3", 3L),
                arguments(ValueType.INTEGER, " -3 ", -3L),
                arguments(ValueType.INTEGER, "+3", 3L),
                arguments(ValueType.INTEGER, new BigDecimal("3.0"), 3L),
                arguments(ValueType.INTEGER, new BigDecimal("3e2"), 300L),
                arguments(ValueType.INTEGER, 3.0, 3L),
                arguments(ValueType.INTEGER, 0.0, 0L),
                arguments(ValueType.INTEGER, "0e999999999", 0L),
                arguments(ValueType.INTEGER, 9007199254740993L, 9007199254740993L),
                arguments(ValueType.INTEGER, "9007199254740993", 9007199254740993L),
                arguments(ValueType.INTEGER, Long.MIN_VALUE, Long.MIN_VALUE),
                arguments(ValueType.INTEGER, HUGE, HUGE),
                arguments(ValueType.INTEGER, HUGE.toString(), HUGE),
                arguments(ValueType.FLOAT, new BigDecimal("12.50"), new BigDecimal("12.50")),
                arguments(ValueType.FLOAT, 0.1, new BigDecimal("0.1")),
                arguments(ValueType.FLOAT, 0.1f, new BigDecimal("0.1")),
                arguments(ValueType.FLOAT, 7, new BigDecimal("7")),
                arguments(ValueType.FLOAT, "7", new BigDecimal("7")),
                arguments(ValueType.FLOAT, "-1.5e3", new BigDecimal("-1.5e3")),
                arguments(ValueType.FLOAT, ".5", new BigDecimal("0.5")),
                arguments(ValueType.FLOAT, "1.7976931348623157e308", new BigDecimal("1.7976931348623157e308")),
                arguments(ValueType.FLOAT, "0e-999999999", BigDecimal.ZERO),
                arguments(ValueType.FLOAT, HUGE, new BigDecimal(HUGE)),
                arguments(ValueType.BOOLEAN, true, true),
                arguments(ValueType.BOOLEAN, false, false),
                arguments(ValueType.BOOLEAN, "true", true),
                arguments(ValueType.BOOLEAN, "false", false));
    }

    @ParameterizedTest
    @MethodSource
    void accepted(ValueType type, Object given, Object expected) {
        assertThat(coerce(type, given)).isEqualTo(expected);
        assertThat(violations).isEmpty();
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                arguments(ValueType.STRING, 3),
                arguments(ValueType.STRING, true),
                arguments(ValueType.STRING, List.of("text")),
                arguments(ValueType.STRING, "a\u0000b"),
                arguments(ValueType.STRING, "\ud83d"),
                arguments(ValueType.STRING, "\ude00"),
                arguments(ValueType.INTEGER, new BigDecimal("3.5")),
                arguments(ValueType.INTEGER, 3.5),
                arguments(ValueType.INTEGER, "3.5"),
                arguments(ValueType.INTEGER, "three"),
                arguments(ValueType.INTEGER, ""),
                arguments(ValueType.INTEGER, "0x10"),
                arguments(ValueType.INTEGER, "1_000"),
                arguments(ValueType.INTEGER, "\u0663"),
                arguments(ValueType.INTEGER, true),
                arguments(ValueType.INTEGER, Double.NaN),
                arguments(ValueType.INTEGER, Double.POSITIVE_INFINITY),
                arguments(ValueType.INTEGER, "1e999999999"),
                arguments(ValueType.INTEGER, "1e-999999999"),
                arguments(ValueType.INTEGER, "9".repeat(1001)),
                arguments(ValueType.FLOAT, "1.2.3"),
                arguments(ValueType.FLOAT, "abc"),
                arguments(ValueType.FLOAT, "."),
                arguments(ValueType.FLOAT, false),
                arguments(ValueType.FLOAT, Double.NaN),
                arguments(ValueType.FLOAT, Double.NEGATIVE_INFINITY),
                arguments(ValueType.FLOAT, Float.NaN),
                arguments(ValueType.FLOAT, "NaN"),
                arguments(ValueType.FLOAT, "Infinity"),
                arguments(ValueType.FLOAT, "-inf"),
                arguments(ValueType.FLOAT, "1.8e308"),
                arguments(ValueType.FLOAT, "1e999999999"),
                arguments(ValueType.FLOAT, "1e-999999999"),
                arguments(ValueType.FLOAT, new BigDecimal("1e999999999")),
                arguments(ValueType.BOOLEAN, "True"),
                arguments(ValueType.BOOLEAN, "yes"),
                arguments(ValueType.BOOLEAN, 1),
                arguments(ValueType.ARRAY, "[]"),
                arguments(ValueType.ARRAY, Map.of()),
                arguments(ValueType.OBJECT, "{}"),
                arguments(ValueType.OBJECT, List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void refused(ValueType type, Object given) {
        coerce(type, given);

        assertThat(violations).singleElement().satisfies(fault -> {
            assertThat(fault.kind()).isEqualTo("Invalid Type");
            assertThat(fault.path()).isEqualTo("/value");
            assertThat(fault.detail()).endsWith(".").hasSizeLessThan(250);
        });
    }

    @Test
    void absurdNumbersAreRefusedAtOnce() {
        Object[] absurd = {
            "1e999999999", "9".repeat(1_000_000), BigInteger.ONE.shiftLeft(10_000_000), new BigDecimal("1e2147483647")
        };

        Duration taken = Assertions.assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> CpuTime.of(() -> {
                    for (Object number : absurd) {
                        coerce(ValueType.INTEGER, number);
                        coerce(ValueType.FLOAT, number);
                    }
                }));
        assertThat(taken).isLessThan(Duration.ofSeconds(2));
        assertThat(violations).hasSize(2 * absurd.length);
    }

    @Test
    void itemsOfAnArrayMatchTheItemTypeAndAreCoerced() {
        ArrayItems nested =
                new ArrayItems(ValueType.ARRAY, new ArrayItems(ValueType.INTEGER, null, List.of()), List.of());

        Object value = ValueRules.coerce(
                ValueType.ARRAY, nested, List.of(), List.of(List.of("1", 2), List.of()), AT, violations);

        assertThat(value).isEqualTo(List.of(List.of(1L, 2L), List.of()));
        assertThat(violations).isEmpty();
    }

    @Test
    void everyWrongItemIsNamedByItsPlace() {
        ArrayItems nested =
                new ArrayItems(ValueType.ARRAY, new ArrayItems(ValueType.INTEGER, null, List.of()), List.of());

        ValueRules.coerce(
                ValueType.ARRAY,
                nested,
                List.of(),
                Arrays.asList(Arrays.asList(1, "x", null), "no list"),
                AT,
                violations);

        assertThat(violations).extracting(Violation::path).containsExactly("/value/0/1", "/value/0/2", "/value/1");
    }

    @Test
    void wrongItemsOfALongArrayAreNotAllNamed() {
        ArrayItems integers = new ArrayItems(ValueType.INTEGER, null, List.of());
        ValueRules.coerce(ValueType.ARRAY, integers, List.of(), Collections.nCopies(500_000, "x"), AT, violations);
        assertThat(violations).hasSize(100);
    }

    @Test
    void propertiesOfAnObjectExistAndMatchTheirTypes() {
        List<ObjectProperty> properties = List.of(
                new ObjectProperty("count", ValueType.INTEGER, "", true),
                new ObjectProperty("note", ValueType.STRING, "", false),
                new ObjectProperty("gone", ValueType.FLOAT, "", true));
        Map<String, @Nullable Object> given = new HashMap<>();
        given.put("count", "many");
        given.put("note", null);
        given.put("gone", null);

        ValueRules.coerce(ValueType.OBJECT, null, properties, given, AT, violations);

        assertThat(violations)
                .extracting(Violation::kind, Violation::path)
                .containsExactlyInAnyOrder(
                        tuple("Invalid Type", "/value/count"), tuple("Missing Required Field", "/value/gone"));
    }

    @Test
    void anObjectKeepsMembersThatNoPropertyNames() {
        List<ObjectProperty> properties = List.of(new ObjectProperty("count", ValueType.INTEGER, "", true));

        Object value = ValueRules.coerce(
                ValueType.OBJECT,
                null,
                properties,
                Map.of("count", "3", "more", Map.of("x", List.of(1))),
                AT,
                violations);

        assertThat(value).isEqualTo(Map.of("count", 3L, "more", Map.of("x", List.of(1L))));
    }

    @Test
    void aValueNestedTooDeepIsRefused() {
        Object value = List.of();
        for (int i = 0; i < 100_000; i++) {
            value = List.of(value);
        }

        ValueRules.coerce(ValueType.OBJECT, null, List.of(), Map.of("deep", value), AT, violations);

        assertThat(violations).extracting(Violation::path).containsExactly("/value/deep");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequiredInputIsMandatoryAndAnOptionalOneMayBeNull(boolean required) {
        InputParameter input = new InputParameter(
                "n",
                ValueType.INTEGER,
                "",
                required,
                InputSource.HUMAN_INPUT,
                null,
                List.of(),
                null,
                DataSource.MEMORY);

        assertThat(ValueRules.input(input, null, AT, violations)).isNull();
        assertThat(violations).hasSize(required ? 1 : 0);
        violations.forEach(fault -> assertThat(fault.kind()).isEqualTo("Missing Required Field"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T09:30:00Z,2026-01-31T09:30:00.000Z",
        "2026-01-31T09:30:00.123456+02:00,2026-01-31T07:30:00.123Z",
        "2026-01-31t09:30:00z,2026-01-31T09:30:00.000Z",
        "2026-01-01 00:30:00+01:00,2025-12-31T23:30:00.000Z",
    })
    void aDateTimeIsWrittenInUtcWithMilliseconds(String given, String expected) {
        assertThat(ValueRules.coerce(OutputType.DATETIME, given, AT, violations))
                .isEqualTo(expected);
        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31",
                "2026-01-31T09:30:00",
                "2026-02-30T09:30:00Z",
                "2026-01-31T24:30:00Z",
                "tomorrow",
                "",
                "0000-01-01T00:00:00+01:00",
                "2026-01-31T09:30:00+99:00",
                "1769851800"
            })
    void timestampsWithoutAZoneAreRejected(String given) {
        ValueRules.coerce(OutputType.DATETIME, given, AT, violations);

        assertThat(violations).extracting(Violation::kind).containsExactly("Invalid Type");
    }

    @Test
    void aFileIsNamedByAString() {
        for (OutputType type : OutputType.values()) {
            if (type.isFile()) {
                assertThat(ValueRules.coerce(type, "s3://bucket/a.pdf", AT, violations))
                        .isEqualTo("s3://bucket/a.pdf");
                ValueRules.coerce(type, 3, AT, violations);
            }
        }
        assertThat(violations).hasSize(9);
    }

    @Test
    void allOutputsOfATaskAreCheckedAtOnce() {
        List<OutputParameter> declared = List.of(
                new OutputParameter("total", OutputType.FLOAT, ""),
                new OutputParameter("due", OutputType.DATETIME, ""),
                new OutputParameter("paid", OutputType.BOOLEAN, ""));

        ValueRules.outputs(
                declared,
                Map.of("total", "x", "paid", "true", "extra/1", 1),
                JsonPointer.ROOT.to("answer"),
                violations);

        assertThat(violations)
                .extracting(fault -> fault.kind() + " " + fault.path())
                .containsExactlyInAnyOrder(
                        "Invalid Type /answer/total",
                        "Missing Required Field /answer/due",
                        "Invalid Type /answer/extra~11");
    }

    @Test
    void validOutputsAreCoercedInDeclaredOrder() {
        List<OutputParameter> declared = List.of(
                new OutputParameter("total", OutputType.FLOAT, ""),
                new OutputParameter("count", OutputType.INTEGER, ""));

        Map<String, @Nullable Object> outputs =
                ValueRules.outputs(declared, Map.of("count", "2", "total", 1), JsonPointer.ROOT, violations);

        assertThat(outputs).containsExactly(Map.entry("total", BigDecimal.ONE), Map.entry("count", 2L));
        assertThat(violations).isEmpty();
    }

    private @Nullable Object coerce(ValueType type, Object given) {
        return ValueRules.coerce(type, null, List.of(), given, AT, violations);
    }
}
