package dev.parley.workflow.definition.core;

import dev.parley.datalake.core.RowFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an input parameter's rows come from.
 *
 * @param dataLakeId set for {@link Kind#DATA_LAKE} only, as the rest is
 * @param filter which rows; null for all
 * @param columns which columns, in order; empty for all
 * @param limit how many rows at most; null for all, so that a task fails which cannot have them
 */
public record DataSource(
        DataSourceKind kind,
        @Nullable String dataLakeId,
        @Nullable RowFilter filter,
        List<String> columns,
        @Nullable Integer limit) {
    /** The most rows that an input has. */
    public static final int MAX_LIMIT = 10_000;

    static final int MAX_COLUMNS = 200;

    public DataSource {
        columns = List.copyOf(columns);
    }

    /** The default: memory, which needs no further settings. */
    public static final DataSource MEMORY = new DataSource(DataSourceKind.MEMORY, null, null, List.of(), null);

    /** The kinds of sources. */
    public enum DataSourceKind {
        MEMORY,
        DATA_LAKE
    }
}
