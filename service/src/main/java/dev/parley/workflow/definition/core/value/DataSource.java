package dev.parley.workflow.definition.core.value;

import dev.parley.datalake.core.RowFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source of an input parameter's rows.
 *
 * @param dataLakeId like the other settings, set for {@link DataSourceKind#DATA_LAKE} only
 * @param filter which rows; null for all
 * @param columns which columns, in order; empty for all
 * @param limit the maximum number of rows; null for all, in which case a task fails if there are too many
 */
public record DataSource(
        DataSourceKind kind,
        @Nullable String dataLakeId,
        @Nullable RowFilter filter,
        List<String> columns,
        @Nullable Integer limit) {
    /** The maximum number of rows of an input. */
    public static final int MAX_LIMIT = 10_000;

    public static final int MAX_COLUMNS = 200;

    public DataSource {
        columns = List.copyOf(columns);
    }

    /** The default: memory, without further settings. */
    public static final DataSource MEMORY = new DataSource(DataSourceKind.MEMORY, null, null, List.of(), null);

    /** The kinds of sources. */
    public enum DataSourceKind {
        MEMORY,
        DATA_LAKE
    }
}
