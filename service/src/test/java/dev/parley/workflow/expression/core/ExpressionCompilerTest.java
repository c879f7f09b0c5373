package dev.parley.workflow.expression.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.workflow.expression.core.ExpressionType.AnyObject;
import dev.parley.workflow.expression.core.ExpressionType.ListOf;
import dev.parley.workflow.expression.core.ExpressionType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionCompilerTest {
    private static final ExpressionScope SCOPE = new ExpressionScope(Map.of(
            List.of("inputs", "amount"), Scalar.INTEGER,
            List.of("inputs", "net amount"), Scalar.FLOAT,
            List.of("inputs", "name"), Scalar.STRING,
            List.of("inputs", "flag"), Scalar.BOOLEAN,
            List.of("inputs", "since"), Scalar.DATETIME,
            List.of("inputs", "items"), new ListOf(Scalar.INTEGER),
            List.of("inputs", "order"), new AnyObject(),
            List.of("tasks", "check-in", "approved"), Scalar.BOOLEAN));

    private static final Map<List<String>, @Nullable Object> VALUES = new HashMap<>(Map.of(
            List.of("inputs", "amount"),
            12L,
            List.of("inputs", "net amount"),
            new BigDecimal("9.5"),
            List.of("inputs", "name"),
            "Ada",
            List.of("inputs", "flag"),
            true,
            List.of("inputs", "since"),
            "2026-01-31T09:30:00.000Z",
            List.of("inputs", "items"),
            List.of(1L, 2L, 3L),
            List.of("inputs", "order"),
            Map.of("total", new BigDecimal("3.5"), "lines", List.of(1L)),
            List.of("tasks", "check-in", "approved"),
            true));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inputs.amount == 12",
                "inputs.amount == 12.0 && inputs.amount != 1.5 && 12.0 == inputs.amount",
                "inputs.`net amount` != 9 && inputs.`net amount` == 9.5",
                "inputs.amount in [12.0, 13.5] && !(inputs.`net amount` in [1, 2])",
                "2.0 in inputs.items && inputs.items == [1.0, 2.0, 3.0] && inputs.items != [1.5]",
                "inputs.items.exists(i, i == 2.0) && inputs.amount == 12u",
                "inputs.order.total == 3.5 && inputs.order.lines[0] == 1.0 && 1.0 in inputs.order.lines",
                "inputs.order == {'total': 3.5, 'lines': [1]} && 'total' in inputs.order",
                "inputs.items == [] ? false : inputs.name in ['Ada', 'Bo']",
                "type(inputs.name) == string",
                "inputs.amount > 11.5",
                "inputs.`net amount` < 10.0 && inputs.name.startsWith('A')",
                "inputs.flag",
                "tasks.`check-in`.approved",
                "inputs.since < timestamp('2027-01-01T00:00:00Z')",
                "inputs.items.exists(i, i > 2) && size(inputs.items) == 3",
                "inputs.order.total > 3.0 && inputs.order.lines[0] == 1",
                "inputs.name.matches('^[A-Z][a-z]+$')",
                "inputs.name != null ? true : false"
            })
    void holds(String text) {
        assertThat(evaluate(text, VALUES)).isEqualTo(new EvaluationResult.Condition(true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"inputs.name == null", "inputs.since == null", "size(inputs.items) == 0", "inputs.amount == null"
            })
    void aVariableWithoutAValueIsNullOrEmpty(String text) {
        assertThat(evaluate(text, Map.of())).isEqualTo(new EvaluationResult.Condition(true));
        assertThat(evaluate(text, VALUES)).isEqualTo(new EvaluationResult.Condition(false));
    }

    @Test
    void nullIsFalseAsACondition() {
        assertThat(evaluate("inputs.flag", Map.of())).isEqualTo(new EvaluationResult.Condition(false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inputs.name.startsWith('A') | startsWith",
                "inputs.amount > 5 | null",
                "inputs.order.total == 1.0 | total",
                "inputs.items[0] == 1 | out of bounds",
            })
    void whatHasNoValueIsAnError(String text, String detail) {
        assertThat(evaluate(text, Map.of()))
                .isInstanceOfSatisfying(EvaluationResult.EvaluationError.class, error -> assertThat(error.detail())
                        .contains(detail));
    }

    @Test
    void anIntegerBeyond64BitsIsAnError() {
        Map<List<String>, @Nullable Object> values = Map.of(List.of("inputs", "amount"), BigInteger.TWO.pow(64));
        assertThat(evaluate("inputs.amount > 5", values))
                .isEqualTo(new EvaluationResult.EvaluationError("An integer of more than 64 bits cannot be compared."));
    }

    /** Numbers are compared exactly, although a double cannot hold each integer. */
    @Test
    void neighbouringNumbersDiffer() {
        Map<List<String>, @Nullable Object> values = Map.of(List.of("inputs", "amount"), (1L << 53) + 1);
        assertThat(evaluate("inputs.amount == 9007199254740992.0", values))
                .isEqualTo(new EvaluationResult.Condition(false));
    }

    @Test
    void anEvaluationErrorNamesNoClass() {
        Map<List<String>, @Nullable Object> values = Map.of(List.of("inputs", "name"), "(");
        assertThat(evaluate("'a'.matches(inputs.name)", values))
                .isEqualTo(new EvaluationResult.EvaluationError("the pattern has an error at '(': missing closing )"));
        assertThat(ExpressionCompiler.syntaxIssues("nothing.matches('(') && 1 < 9223372036854775808"))
                .hasSize(1)
                .noneMatch(issue -> issue.message().contains("Exception"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "inputs.amuont > 5             | 7  | there is nothing named 'amuont' here",
                "inputs.amount == 'x'          | 15 | '==' cannot be applied to an integer and a text",
                "inputs.flag != 1              | 13 | '!=' cannot be applied to a boolean and an integer",
                "inputs.since == 'x'           | 14 | '==' cannot be applied to a date and time and a text",
                "inputs.name in [1, 2]         | 13 | 'in' cannot be applied to a text and a list",
                "inputs.items == ['a']         | 14 | '==' cannot be applied to a list and a list",
                "inputs.name.matches('(')      | 21 | the pattern has an error at '(': missing closing )",
                "inputs.name.matches('[z-a]')  | 21 | the pattern has an error at 'z-a': invalid character class range",
                "inputs.amount > 9223372036854775808 | 17 | the number is too large; an integer has at most 64 bits. Write it with a decimal point, such as 1e19",
                "inputs.amount == 0xFFFFFFFFFFFFFFFFFF | 18 | the number is too large; an integer has at most 64 bits. Write it with a decimal point, such as 1e19",
                "inputs.amount < 99999999999999999999u | 17 | the number is too large; an integer has at most 64 bits. Write it with a decimal point, such as 1e19",
                "inputs.amount < 1e999         | 17 | the number is too large",
                "inputs.amount > 'x'           | 15 | '>' cannot be applied to an integer and a text",
                "inputs.items > inputs.since   | 14 | '>' cannot be applied to a list and a date and time",
                "inputs.amount                 | 1  | a condition is true or false, but this is an integer",
                "1 == 1 && missing             | 11 | there is nothing named 'missing' here",
                "inputs.amount >               | 16 | the condition ends too early",
                "tasks.other.approved          | 6  | there is nothing named 'other' here",
                "inputs.amount = 12            | 15 | write '==' instead of '='",
                "inputs.amount=12              | 14 | write '==' instead of '='",
                "inputs.amount => 12           | 15 | write '>=' instead of '=>'",
                "inputs.amount ≥ 12            | 15 | write '>=' instead of '≥'",
                "inputs.flag and 1 == 1        | 13 | write '&&' instead of 'and'",
                "inputs.flag OR 1 == 1         | 13 | `write '||' instead of 'or'`",
                "inputs.flag & 1 == 1          | 13 | write '&&' instead of '&'",
                "inputs.name == “Ada”          | 16 | write straight quotation marks",
                "(inputs.amount == 12          | 21 | ')' is missing at the end",
                "inputs.net amount > 3         | 12 | 'amount' is not expected here",
                "inputs.amount > 5 €           | 19 | '€' is not allowed here",
            })
    void anInvalidExpressionIsRefusedWithItsColumn(String text, int column, String message) {
        List<ExpressionIssue> issues = ExpressionCompiler.compile(text, SCOPE).issues();
        assertThat(issues).hasSize(1);
        assertThat(issues.getFirst().column()).isEqualTo(column);
        assertThat(issues.getFirst().message()).isEqualTo(message);
    }

    /** Versions that were published before such constants were violations. */
    @ParameterizedTest
    @ValueSource(strings = {"inputs.amount > 5 || inputs.name.matches('(')", "inputs.amount < 1e999"})
    void constantsThatFailAreIssuesAndCanStillBeEvaluated(String text) {
        assertThat(ExpressionCompiler.compile(text, SCOPE).issues()).isNotEmpty();
        assertThat(evaluate(text, VALUES)).isEqualTo(new EvaluationResult.Condition(true));
    }

    @Test
    void nestingAndLengthAreLimited() {
        assertThat(ExpressionCompiler.compile("(".repeat(500) + "true" + ")".repeat(500), SCOPE)
                        .issues())
                .isNotEmpty();
        assertThat(ExpressionCompiler.compile("true ||" + " true ||".repeat(600) + " true", SCOPE)
                        .issues())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inputs.items.map(i, inputs.name) == []",
                "inputs.items.filter(i, i > 1) == []",
                "inputs.name + inputs.name == ''",
                "size(inputs.items + inputs.items) > 1",
                "size(bytes(inputs.name)) > 1",
                "inputs.name.matches('(a?){300}(a){300}')",
                "inputs.items.exists(i, inputs.name.matches('(a*)*b'))"
            })
    void whatCouldExhaustTimeOrMemoryIsRefused(String text) {
        assertThat(ExpressionCompiler.compile(text, SCOPE).issues()).isNotEmpty();
    }

    @Test
    void manyIssuesAreNotAllReported() {
        assertThat(ExpressionCompiler.compile("x==y||".repeat(300) + "true", SCOPE)
                        .issues())
                .hasSize(20);
    }

    @Test
    void aThousandConditionsAreCompiledInTime() {
        assertThat(CpuTime.of(() -> IntStream.range(0, 1_000).forEach(i -> assertThat(
                                ExpressionCompiler.compile("inputs.amount > " + i + " && inputs.flag", SCOPE)
                                        .issues())
                        .isEmpty())))
                .isLessThan(Duration.ofSeconds(15));
    }

    private static EvaluationResult evaluate(String text, Map<List<String>, @Nullable Object> values) {
        ExpressionCompiler.Compilation compiled = ExpressionCompiler.compile(text, SCOPE);
        CompiledExpression expression = compiled.expression();
        if (expression == null) {
            throw new AssertionError(compiled.issues());
        }
        return expression.evaluate(values::get, new EvaluationCost());
    }
}
