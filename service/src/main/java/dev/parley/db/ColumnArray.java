package dev.parley.db;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * One column of many rows as an array parameter in PostgreSQL's binary format. The text format, written and parsed
 * character by character, dominated the profile of batch inserts. The driver supports binary arrays for some types
 * only; the missing ones are here.
 */
public final class ColumnArray {
    private static final int HEADER = 5 * Integer.BYTES;
    private static final int UUID_BYTES = 2 * Long.BYTES;

    /** PostgreSQL counts microseconds from 2000-01-01. */
    private static final long EPOCH_SECONDS = 946_684_800;

    private ColumnArray() {}

    /**
     * The array of a column.
     *
     * @param type {@code uuid}, {@code text}, {@code int4}, {@code int8}, {@code bool} or {@code timestamptz}; times
     *     are {@link Instant}s, truncated to microseconds
     * @param column a value of the Java class that belongs to the type, or null
     */
    public static <T> Array column(Connection connection, String type, List<T> rows, Function<T, ?> column)
            throws SQLException {
        return switch (type) {
            case "uuid" -> of(connection, values(rows, column, new @Nullable UUID[rows.size()]));
            case "timestamptz" -> of(connection, values(rows, column, new @Nullable Instant[rows.size()]));
            case "text" -> connection.createArrayOf(type, values(rows, column, new @Nullable String[rows.size()]));
            case "int4" -> connection.createArrayOf(type, values(rows, column, new @Nullable Integer[rows.size()]));
            case "int8" -> connection.createArrayOf(type, values(rows, column, new @Nullable Long[rows.size()]));
            case "bool" -> connection.createArrayOf(type, values(rows, column, new @Nullable Boolean[rows.size()]));
            default -> throw new IllegalArgumentException(type);
        };
    }

    @SuppressWarnings("unchecked") // Storing a value of another class throws.
    private static <T, V> @Nullable V[] values(List<T> rows, Function<T, ?> column, @Nullable V[] values) {
        int next = 0;
        for (T row : rows) {
            values[next++] = (V) column.apply(row);
        }
        return values;
    }

    /** The array of ids, which may be null. */
    public static Array of(Connection connection, @Nullable UUID[] values) throws SQLException {
        ByteBuffer bytes = header(Oid.UUID, values, UUID_BYTES);
        for (UUID value : values) {
            if (value == null) {
                bytes.putInt(-1);
            } else {
                bytes.putInt(UUID_BYTES).putLong(value.getMostSignificantBits());
                bytes.putLong(value.getLeastSignificantBits());
            }
        }
        return array(connection, Oid.UUID_ARRAY, bytes);
    }

    private static Array of(Connection connection, @Nullable Instant[] values) throws SQLException {
        ByteBuffer bytes = header(Oid.TIMESTAMPTZ, values, Long.BYTES);
        for (Instant value : values) {
            if (value == null) {
                bytes.putInt(-1);
            } else {
                long micros = (value.getEpochSecond() - EPOCH_SECONDS) * 1_000_000 + value.getNano() / 1_000;
                bytes.putInt(Long.BYTES).putLong(micros);
            }
        }
        return array(connection, Oid.TIMESTAMPTZ_ARRAY, bytes);
    }

    private static ByteBuffer header(int type, @Nullable Object[] values, int elementBytes) {
        int nulls = 0;
        for (Object value : values) {
            nulls |= value == null ? 1 : 0;
        }
        return ByteBuffer.allocate(HEADER + values.length * (Integer.BYTES + elementBytes))
                .putInt(1)
                .putInt(nulls)
                .putInt(type)
                .putInt(values.length)
                .putInt(1);
    }

    private static Array array(Connection connection, int type, ByteBuffer bytes) throws SQLException {
        byte[] written = new byte[bytes.position()];
        bytes.get(0, written);
        return new PgArray(connection.unwrap(BaseConnection.class), type, written);
    }
}
