package dev.parley.db;

import dev.parley.id.Id;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds rows to a statement with {@code unnest}: one array parameter for each column, in the order of the calls. Raw
 * JDBC, since hot paths use it.
 */
public final class BatchInsert<T> {
    private final PreparedStatement statement;
    private final List<T> rows;
    private int next;

    /** @param first the parameter of the first column, counted from 1 */
    public BatchInsert(PreparedStatement statement, int first, List<T> rows) {
        this.statement = statement;
        this.next = first;
        this.rows = rows;
    }

    /** The parameter after the columns that were bound. */
    public int next() {
        return next;
    }

    public BatchInsert<T> ids(Function<T, ? extends @Nullable Id> column) throws SQLException {
        return column("uuid", row -> {
            Id id = column.apply(row);
            return id == null ? null : id.value();
        });
    }

    public BatchInsert<T> uuids(Function<T, @Nullable UUID> column) throws SQLException {
        return column("uuid", column);
    }

    public BatchInsert<T> texts(Function<T, @Nullable String> column) throws SQLException {
        return column("text", column);
    }

    public BatchInsert<T> integers(Function<T, @Nullable Integer> column) throws SQLException {
        return column("int4", column);
    }

    public BatchInsert<T> booleans(Function<T, @Nullable Boolean> column) throws SQLException {
        return column("bool", column);
    }

    public BatchInsert<T> longs(Function<T, @Nullable Long> column) throws SQLException {
        return column("int8", column);
    }

    public BatchInsert<T> times(Function<T, @Nullable Instant> column) throws SQLException {
        return column("timestamptz", column);
    }

    /** @param type as {@link ColumnArray#column} takes it */
    public BatchInsert<T> column(String type, Function<T, ? extends @Nullable Object> column) throws SQLException {
        statement.setArray(next++, ColumnArray.column(statement.getConnection(), type, rows, column));
        return this;
    }
}
