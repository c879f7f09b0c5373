package dev.parley.db;

import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** Decides which PostgreSQL versions are safe: 15 or later, except those that lose updates. */
final class ServerVersion {
    private static final int MIN_VERSION = 150_000;

    /**
     * In 18.0 and 18.1 an UPDATE that joins a list of ids changes only the first of several rows that another
     * transaction was just changing, and silently skips the others (docs/decisions/0116).
     */
    private static final int FIRST_BROKEN = 180_000;

    private static final int FIRST_FIXED = 180_002;

    private ServerVersion() {}

    /** Rejects an unsafe server. */
    static void require(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('server_version_num')::int")) {
            row.next();
            Optional<String> violation = violation(row.getInt(1));
            if (violation.isPresent()) {
                throw new SettingsException(Setting.PARLEY_DB_URL, violation.get());
            }
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /**
     * Why a version is rejected, as the end of a sentence about the setting.
     *
     * @param number the {@code server_version_num}, such as 180002 for 18.2
     */
    static Optional<String> violation(int number) {
        String name = "names PostgreSQL " + number / 10_000 + "." + number % 10_000;
        if (number < MIN_VERSION) {
            return Optional.of(name + ": 15 or later is needed.");
        }
        if (number >= FIRST_BROKEN && number < FIRST_FIXED) {
            return Optional.of(name + ", which skips rows when several are updated at once. 18.2 or later fixes it.");
        }
        return Optional.empty();
    }
}
