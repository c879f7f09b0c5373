package dev.parley.http;

import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parameters of a list: a page of at most {@code limit} items, 20 by default, after a cursor. */
public record PageRequest(
        @QueryParam("limit") @Nullable String limit,
        @QueryParam("after") @Nullable String after) {
    /** The number of rows to read: one more than the limit, to find out whether another page follows. */
    public int rows() {
        return Page.limit(limit) + 1;
    }

    /** Empty for the first page. */
    public <I> Optional<I> after(Function<String, Optional<I>> parse) {
        return Page.after(after, parse);
    }

    /** {@link #after} of a list ordered by numbers. */
    public Optional<Integer> afterNumber() {
        return after(text -> text.matches("[1-9][0-9]{0,8}") ? Optional.of(Integer.valueOf(text)) : Optional.empty());
    }

    /** @param cursor identifies a row in {@code after} */
    public <T> Page<T> page(List<T> rows, Function<T, String> cursor) {
        return Page.of(rows, rows() - 1, cursor);
    }
}
