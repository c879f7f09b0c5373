package dev.parley.backup;

import dev.parley.db.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The mark of a database that was restored and is not active yet. A service on such a database runs on standby, so that
 * the work of the original is not done twice.
 */
public final class RestoredCopy {
    private static final String NAME = "restored_copy";

    private RestoredCopy() {}

    /** Marks the database, or removes the mark that came from a backup of a marked one. */
    static void mark(Connection connection, boolean active) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM shared_value WHERE name = '" + NAME + "'");
            if (!active) {
                statement.execute("INSERT INTO shared_value (name, value) VALUES ('" + NAME + "', now()::text)");
            }
        }
    }

    /** False also for an empty database. */
    public static boolean isMarked(Database database) {
        return database.with(handle -> handle.select("SELECT to_regclass('shared_value') IS NOT NULL")
                        .mapTo(Boolean.class)
                        .one()
                && handle.select("SELECT EXISTS (SELECT FROM shared_value WHERE name = ?)", NAME)
                        .mapTo(Boolean.class)
                        .one());
    }

    /** Removes the mark; false if there was none. */
    public static boolean activate(Database database) {
        return database.with(handle -> handle.execute("DELETE FROM shared_value WHERE name = ?", NAME)) > 0;
    }
}
