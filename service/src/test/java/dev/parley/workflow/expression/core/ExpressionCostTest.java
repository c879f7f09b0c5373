package dev.parley.workflow.expression.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.workflow.expression.core.ExpressionType.AnyObject;
import dev.parley.workflow.expression.core.ExpressionType.ListOf;
import dev.parley.workflow.expression.core.ExpressionType.Scalar;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No expression takes more than about 0.1 s of CPU, whatever it reads. */
class ExpressionCostTest {
    /** A cold JVM on a busy machine takes up to 2 s. Without the limits the expressions take minutes to hours. */
    private static final Duration MAX_CPU_TIME = Duration.ofSeconds(15);

    private static final Map<List<String>, ExpressionType> TYPES = new HashMap<>();
    private static final Map<List<String>, @Nullable Object> VALUES = new HashMap<>();

    static {
        List<Object> numbers =
                new ArrayList<>(LongStream.range(0, 500_000).boxed().toList());
        Map<String, Object> members = new LinkedHashMap<>();
        LongStream.range(0, 50_000).forEach(i -> members.put("key" + i, i));
        input("l", new ListOf(Scalar.INTEGER), numbers.subList(0, 20_000));
        input("m", new ListOf(Scalar.INTEGER), numbers);
        input("n", new ListOf(Scalar.INTEGER), new ArrayList<>(numbers));
        input("floats", new ListOf(Scalar.FLOAT), Collections.nCopies(100_000, new BigDecimal("1.5")));
        input("dates", new ListOf(Scalar.DATETIME), Collections.nCopies(40_000, "2026-01-31T09:30:00.000Z"));
        input("texts", new ListOf(Scalar.STRING), Collections.nCopies(10_000, "x".repeat(90)));
        input("objects", new ListOf(new AnyObject()), Collections.nCopies(20_000, Map.of()));
        input("a", Scalar.STRING, "a".repeat(100_000));
        input("b", Scalar.STRING, "a".repeat(50_000) + "b");
        input("c", Scalar.STRING, "a".repeat(99_999) + "b");
        input("wide", Scalar.STRING, "é€".repeat(50_000));
        input("long", Scalar.STRING, "a".repeat(100_001));
        input("hours", Scalar.STRING, "1h".repeat(50));
        input("o", new AnyObject(), Map.of("x", numbers, "y", new ArrayList<>(numbers)));
        input("p", new AnyObject(), members);
        input("q", new AnyObject(), new LinkedHashMap<>(members));
        input("huge", Scalar.STRING, "((((a{1000}){1000}){1000}){1000})");
        input("folded", Scalar.STRING, "(?i)[" + "B-\uFFFF".repeat(330) + "]");
        input("escaped", Scalar.STRING, "(?i)[" + "B-\\x{FFFF}".repeat(90) + "]");
        input("digits", new ListOf(Scalar.FLOAT), Collections.nCopies(20_000, new BigDecimal("1." + "3".repeat(999))));
        input("mixed", Scalar.STRING, "[(](a{1000}[(]){1000}");
    }

    private static void input(String name, ExpressionType type, Object value) {
        TYPES.put(List.of("inputs", name), type);
        VALUES.put(List.of("inputs", name), value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inputs.l.exists(x, inputs.a.contains(inputs.b) && x < 0)",
                "inputs.l.exists(x, -1 in inputs.m)",
                "inputs.l.exists(x, inputs.m != inputs.n)",
                "inputs.l.exists(x, inputs.o.x != inputs.o.y)",
                "inputs.l.exists(x, inputs.p != inputs.q)",
                "inputs.l.exists(x, [inputs.m] == [inputs.n] && x < 0)",
                "inputs.l.exists(x, {'a': inputs.m} != {'a': inputs.n})",
                "inputs.l.exists(x, {inputs.m: 1} == {})",
                "inputs.l.exists(x, dyn(inputs.m) in inputs.o)",
                "inputs.l.exists(x, inputs.o[dyn(inputs.m)] == 1)",
                "inputs.l.exists(x, inputs.p['missing'] == 1)",
                "inputs.l.exists(x, size(inputs.wide) < 0)",
                "inputs.l.exists(x, inputs.a == inputs.c)",
                "inputs.l.exists(x, inputs.a < inputs.c && x < 0)",
                "inputs.l.exists(x, inputs.a.startsWith(inputs.c))",
                "inputs.l.exists(x, inputs.a.endsWith(inputs.c))",
                "inputs.l.exists(x, duration(inputs.hours) == duration(inputs.hours) && x < 0)",
                "inputs.l.exists(x, timestamp('2026-01-31T09:30:00Z').getHours(inputs.a) > 25)",
                "inputs.l.exists(x, int(inputs.a) > 25)",
                "inputs.l.exists(x, timestamp('2027-01-01T00:00:00Z') in inputs.dates)",
                "inputs.l.exists(x, 3.0 in inputs.floats)",
                "inputs.l.exists(x, 'y' in inputs.texts)",
                "inputs.l.exists(x, x / 0 == 1)",
                "inputs.objects.exists(x, x.a)",
                "inputs.objects.exists(x, x.a + x.b > 1 || x.c || x.d || x.e || x.f || x.g || x.h)",
                "inputs.l.all(a, inputs.l.all(b, inputs.l.all(c, a + b + c >= 0)))",
                "inputs.l.exists(x, inputs.p.exists(k, true) && x < 0)",
                "inputs.objects.exists(x, inputs.objects.exists_one(y, y == x))",
                "inputs.a.matches(inputs.c)",
                "inputs.a.matches(inputs.huge)",
                "inputs.a.matches(inputs.mixed)",
                "inputs.a.matches('(a|b|[c-z]|\\\\pL|\\\\p{Greek}){40}x')",
                "inputs.hours.matches(inputs.folded)",
                "inputs.hours.matches(inputs.escaped)",
                "inputs.digits.exists(x, x > 3.0)",
                "inputs.long == 'a'",
            })
    void anExpressionThatWouldTakeTooLongIsAnError(String text) {
        CompiledExpression expression = compiled(text);
        assertThat(CpuTime.of(() -> assertThat(expression.evaluate(VALUES::get, new EvaluationCost()))
                        .isInstanceOfSatisfying(
                                EvaluationResult.EvaluationError.class,
                                error -> assertThat(error.detail()).hasSizeLessThan(1_001))))
                .isLessThan(MAX_CPU_TIME);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-1 in inputs.m                                                  | false",
                "inputs.m == inputs.n && inputs.o.x == inputs.o.y                | true",
                "inputs.p == inputs.q && inputs.p.key5 == 5 && 'key6' in inputs.p | true",
                "inputs.texts.exists(x, x.contains('yy'))                        | false",
                "inputs.texts.all(x, x.contains('xxx') && x in ['a', x])         | true",
                "inputs.texts.all(x, has(inputs.p.key5) && x != inputs.a)        | true",
                "inputs.dates[0] > timestamp('2027-01-01T00:00:00Z')             | false",
                "`inputs.objects[0].missing == 1 || true`                        | true",
                "inputs.a.matches('(a*)*b')                                      | false",
                "inputs.a.contains('ab')                                         | false",
                "inputs.c.contains('aab') && inputs.c.contains('')               | true",
                "'abababac'.contains('ababac') && !'abab'.contains('ababa')      | true",
                "'10115'.matches('^([0-9]{5}(-[0-9]{4})?)$')                     | true",
                "'a@b.De'.matches('(?i)^[a-z0-9._-]+@[a-z0-9.-]+[.][a-z]{2,}$')  | true",
                "[1.0, null] == [1, null] && null in [1, null]                   | true",
                "dyn({'a': [1]}) == {'a': [1.0]} && {'a': 1} != {'b': 1}         | true",
            })
    void expressionsOverLargeValuesHaveAResult(String text, boolean holds) {
        assertThat(compiled(text).evaluate(VALUES::get, new EvaluationCost()))
                .isEqualTo(new EvaluationResult.Condition(holds));
    }

    /** Without a bound on the cost, one evaluation took hours. */
    @Test
    void theEvaluationsOfOneStepShareALimit() {
        var cost = new EvaluationCost();
        CompiledExpression expensive = compiled("inputs.l.exists(x, inputs.a.contains(inputs.b) && x < 0)");
        CompiledExpression large =
                compiled("inputs.m == inputs.n && inputs.o.x == inputs.o.y && inputs.m == inputs.o.x");
        CompiledExpression cheap = compiled("inputs.o.x[0] == 0");
        assertThat(large.evaluate(VALUES::get, cost)).isEqualTo(new EvaluationResult.Condition(true));
        for (int i = 0; i < 3; i++) {
            assertThat(expensive.evaluate(VALUES::get, cost)).isInstanceOf(EvaluationResult.EvaluationError.class);
        }
        assertThat(large.evaluate(VALUES::get, cost)).isInstanceOf(EvaluationResult.EvaluationError.class);
        assertThat(cheap.evaluate(VALUES::get, cost)).isEqualTo(new EvaluationResult.Condition(true));
    }

    @Test
    @Tag("all")
    void manyOrdinaryConditionsMayFollowFromOneStep() {
        var cost = new EvaluationCost();
        CompiledExpression ordinary = compiled("inputs.texts.exists(x, x == 'a')");
        for (int i = 0; i < 100; i++) {
            assertThat(ordinary.evaluate(VALUES::get, cost)).isEqualTo(new EvaluationResult.Condition(false));
        }
    }

    /** The watchdog of instances does not count the time. */
    @Test
    void anEvaluationTellsWhenItWaitsForItsTurn() {
        List<String> told = new ArrayList<>();
        var listener = new EvaluationCost.TurnListener() {
            @Override
            public void waits() {
                told.add("waits");
            }

            @Override
            public void goesOn() {
                told.add("goes on");
            }
        };
        CompiledExpression ordinary = compiled("inputs.texts.exists(x, x == 'a')");
        ScopedValue.where(EvaluationCost.TURN_LISTENER, listener)
                .run(() -> assertThat(ordinary.evaluate(VALUES::get, new EvaluationCost()))
                        .isEqualTo(new EvaluationResult.Condition(false)));
        assertThat(told).startsWith("waits", "goes on").endsWith("waits", "goes on");
    }

    /** In a plain queue, each of the many evaluations would get a turn for each turn of the other group. */
    @Test
    @Tag("all")
    void theManyEvaluationsOfOneGroupDoNotDelayThoseOfAnother() throws InterruptedException {
        int processors = Runtime.getRuntime().availableProcessors();
        CompiledExpression expensive = compiled("inputs.l.exists(x, inputs.a.contains(inputs.b) && x < 0)");
        var hasEnded = new AtomicBoolean();
        var greedy = new CountedTurns();
        List<Thread> threads = Stream.generate(() -> Thread.startVirtualThread(() -> {
                    while (!hasEnded.get()) {
                        greedy.evaluate("greedy", expensive);
                    }
                }))
                .limit(20L * processors)
                .toList();
        var modest = new CountedTurns();
        int before = greedy.count.get();
        modest.evaluate("modest", expensive);
        int during = greedy.count.get() - before;
        hasEnded.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(modest.count).hasValueGreaterThan(50);
        assertThat(during).isLessThan(5 * processors * modest.count.get());
    }

    private record CountedTurns(AtomicInteger count) implements EvaluationCost.TurnListener {
        CountedTurns() {
            this(new AtomicInteger());
        }

        void evaluate(String group, CompiledExpression expression) {
            var _ = ScopedValue.where(EvaluationCost.TURN_LISTENER, this)
                    .call(() -> EvaluationCost.inTurnsOf(
                            group, () -> expression.evaluate(VALUES::get, new EvaluationCost())));
        }

        @Override
        public void waits() {
            // Only the turns count.
        }

        @Override
        public void goesOn() {
            count.incrementAndGet();
        }
    }

    private static CompiledExpression compiled(String text) {
        ExpressionCompiler.Compilation compiled = ExpressionCompiler.compile(text, new ExpressionScope(TYPES));
        CompiledExpression expression = compiled.expression();
        if (expression == null) {
            throw new AssertionError(compiled.issues());
        }
        return expression;
    }
}
