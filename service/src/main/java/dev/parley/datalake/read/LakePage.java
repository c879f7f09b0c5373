package dev.parley.datalake.read;

import dev.parley.datalake.core.RowFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a table's rows.
 *
 * @param search a part of any value, case-insensitive; null for all rows
 * @param filters which a row must match together; {@code contains} is case-insensitive
 * @param sort a column; null for the order of the table
 * @param offset the number of rows before the page
 */
public record LakePage(
        @Nullable String search,
        List<RowFilter.Compare> filters,
        @Nullable String sort,
        boolean descending,
        int offset,
        int limit) {
    /** Sorted rows must fit into the engine's memory, so only the first ones can be read. */
    static final int MAX_SORTED_ROWS = 5_000;

    static final int MAX_OFFSET = 1_000_000_000;

    public LakePage {
        filters = List.copyOf(filters);
        if (sort != null && offset + limit > MAX_SORTED_ROWS) {
            throw new IllegalArgumentException("beyond the sorted rows");
        }
    }

    /** Whether it has only some of the rows, so that they have to be counted. */
    boolean isFiltered() {
        return search != null || !filters.isEmpty();
    }
}
