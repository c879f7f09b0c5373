package dev.parley.workflow.expression.core;

import com.google.protobuf.NullValue;
import dev.parley.workflow.expression.core.ExpressionType.AnyObject;
import dev.parley.workflow.expression.core.ExpressionType.ListOf;
import dev.parley.workflow.expression.core.ExpressionType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts values of tasks to values of CEL. */
final class ExpressionValues {
    private ExpressionValues() {}

    private static final int MAX_TEXT_LENGTH = 100_000;

    /** @throws RuntimeException for an integer beyond 64 bits, or a text that is too long */
    static Object celValue(ExpressionType type, @Nullable Object value) {
        return switch (type) {
            case Scalar scalar -> scalar(scalar, value);
            case ListOf list ->
                value instanceof List<?> items
                        ? items.stream()
                                .map(item -> celValue(list.items(), item))
                                .toList()
                        : List.of();
            case AnyObject _ -> value instanceof Map<?, ?> ? dynamic(value) : Map.of();
        };
    }

    private static Object scalar(Scalar type, @Nullable Object value) {
        if (type == Scalar.FLOAT && value instanceof Number number) {
            return number.doubleValue();
        }
        if (type == Scalar.DATETIME && value instanceof String text) {
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
            case BigInteger integer -> integer.longValueExact();
            case Integer integer -> integer.longValue();
            case BigDecimal decimal -> decimal.doubleValue();
            case List<?> items -> items.stream().map(ExpressionValues::dynamic).toList();
            case Map<?, ?> members -> {
                Map<Object, Object> all = new LinkedHashMap<>();
                members.forEach((name, member) -> all.put(name, dynamic(member)));
                yield all;
            }
            default -> value;
        };
    }
}
