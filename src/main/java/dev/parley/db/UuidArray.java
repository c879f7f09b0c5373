package dev.parley.db;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * A {@code uuid[]} parameter in PostgreSQL's binary form. The driver would write it as text, character by character,
 * which led the profile of storing messages in batches.
 */
public final class UuidArray {
    private static final int HEADER = 5 * Integer.BYTES;
    private static final int ELEMENT = Integer.BYTES + 2 * Long.BYTES;

    private UuidArray() {}

    /** An array of one column of many rows: binary where it is of uuids, else of the SQL type that is named. */
    public static <T> Array column(Connection connection, String type, List<T> rows, Function<T, ?> column)
            throws SQLException {
        @Nullable Object[] values = new @Nullable Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i));
        }
        return type.equals("uuid")
                ? of(connection, Arrays.copyOf(values, values.length, UUID[].class))
                : connection.createArrayOf(type, values);
    }

    /** The array, whose elements may be null. */
    public static Array of(Connection connection, @Nullable UUID[] values) throws SQLException {
        var bytes = ByteBuffer.allocate(HEADER + values.length * ELEMENT);
        boolean nulls = false;
        bytes.putInt(1).putInt(0).putInt(Oid.UUID).putInt(values.length).putInt(1);
        for (UUID value : values) {
            if (value == null) {
                nulls = true;
                bytes.putInt(-1);
            } else {
                bytes.putInt(2 * Long.BYTES).putLong(value.getMostSignificantBits());
                bytes.putLong(value.getLeastSignificantBits());
            }
        }
        bytes.putInt(Integer.BYTES, nulls ? 1 : 0);
        byte[] written = new byte[bytes.position()];
        bytes.get(0, written);
        return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, written);
    }
}
