package dev.parley.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** PostgreSQL's write-ahead log. */
final class WriteAheadLog {
    private WriteAheadLog() {}

    /** Bytes written since the database was created. */
    static double position(DataSource database) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return row.getDouble(1);
        } catch (SQLException e) {
            throw new BenchException("The write-ahead log cannot be measured: " + e.getMessage());
        }
    }
}
