package dev.parley.workflow.expression.core;

import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import com.google.protobuf.NullValue;
import dev.parley.workflow.expression.core.ExpressionType.AnyObject;
import dev.parley.workflow.expression.core.ExpressionType.ListOf;
import dev.parley.workflow.expression.core.ExpressionType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts values of tasks to values of CEL. */
final class ExpressionValues {
    private ExpressionValues() {}

    private static final int MAX_TEXT_LENGTH = 100_000;

    /**
     * The members of lists and objects are converted when they are read, so that a large value costs only what an
     * expression reads of it.
     *
     * @throws RuntimeException for an integer beyond 64 bits, or a text that is too long; also when a member is read
     */
    static Object celValue(ExpressionType type, @Nullable Object value) {
        return switch (type) {
            case Scalar scalar -> scalar(scalar, value);
            case ListOf list ->
                value instanceof List<?> items
                        ? Lists.transform(items, item -> celValue(list.items(), item))
                        : List.of();
            case AnyObject _ -> value instanceof Map<?, ?> ? dynamic(value) : Map.of();
        };
    }

    private static Object scalar(Scalar type, @Nullable Object value) {
        if (type == Scalar.FLOAT && value instanceof Number number && !(value instanceof BigDecimal)) {
            return number.doubleValue();
        }
        if (type == Scalar.DATETIME && value instanceof String text) {
            EvaluationCost.CURRENT.get().spend((long) EvaluationCost.CONVERTED_CHARACTER * text.length());
            return OffsetDateTime.parse(text).toInstant();
        }
        return dynamic(value);
    }

    private static Object dynamic(@Nullable Object value) {
        return switch (value) {
            case null -> NullValue.NULL_VALUE;
            case String text
            when text.length() > MAX_TEXT_LENGTH ->
                throw new IllegalArgumentException("A text of more than 100,000 characters cannot be compared.");
            case BigInteger integer
            when integer.bitLength() > 63 ->
                throw new IllegalArgumentException("An integer of more than 64 bits cannot be compared.");
            case BigInteger integer -> integer.longValueExact();
            case Integer integer -> integer.longValue();
            case BigDecimal decimal -> {
                long digits = (long) decimal.precision() + Math.abs((long) decimal.scale());
                EvaluationCost.CURRENT.get().spend(EvaluationCost.DIGIT * digits);
                yield decimal.doubleValue();
            }
            case List<?> items -> Lists.transform(items, ExpressionValues::dynamic);
            case Map<?, ?> members -> Maps.transformValues(members, ExpressionValues::dynamic);
            default -> value;
        };
    }
}
