package dev.parley.http;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list: {@code {"items": […], "next": cursor or null}}.
 *
 * @param next the {@code after} of the next page; null on the last
 */
public record Page<T>(
        List<T> items,

        @Schema(description = "Send as after for the next page; null on the last.") @Nullable
        String next) {
    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 100;

    public Page {
        items = List.copyOf(items);
    }

    /**
     * Makes a page from rows that were read with one more than the limit.
     *
     * @param cursor identifies a row in {@code after}
     */
    public static <T> Page<T> of(List<T> rowsAndOneMore, int limit, Function<T, String> cursor) {
        if (rowsAndOneMore.size() <= limit) {
            return new Page<>(rowsAndOneMore, null);
        }
        List<T> items = rowsAndOneMore.subList(0, limit);
        return new Page<>(items, cursor.apply(items.getLast()));
    }

    /** Parses {@code ?limit=}: an integer from 1 to {@code max}. */
    public static int limit(@Nullable String value, int byDefault, int max) {
        return number(value, "limit", byDefault, max);
    }

    /** Parses a query parameter that is an integer from 1 to {@code max}. */
    public static int number(@Nullable String value, String name, int byDefault, int max) {
        if (value == null) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw ApiProblem.invalid(Violation.parameter(
                        ViolationCode.OUT_OF_RANGE,
                        name,
                        "'" + name + "' must be a whole number from 1 to " + max + ".")
                .with(Map.of("min", 1, "max", max)));
    }

    /** Parses {@code ?limit=} with the default bounds: 1 to 100, 20 if absent. */
    public static int limit(@Nullable String value) {
        return limit(value, DEFAULT_LIMIT, MAX_LIMIT);
    }

    /** Parses {@code ?after=} of a list ordered by ids: empty if absent. */
    public static <I> Optional<I> after(@Nullable String value, Function<String, Optional<I>> parse) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<I> cursor = parse.apply(value);
        if (cursor.isEmpty()) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.INVALID_FORMAT, "after", "'after' must be the 'next' of another page."));
        }
        return cursor;
    }
}
