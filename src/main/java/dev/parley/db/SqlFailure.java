package dev.parley.db;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;

/** Classifies database failures by their SQLSTATE. */
public final class SqlFailure {
    private SqlFailure() {}

    /** Whether the database is unavailable, shutting down or full, so that the same request may succeed later. */
    public static boolean isOutage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException || cause instanceof IOException) {
                return true;
            }
            if (cause instanceof SQLException sql && (isOutageState(sql.getSQLState()) || isClosed(sql))) {
                return true;
            }
        }
        return false;
    }

    /** The pool reports a connection broken by an earlier statement without a SQLSTATE. */
    private static boolean isClosed(SQLException failure) {
        return failure.getSQLState() == null && "Connection is closed".equals(failure.getMessage());
    }

    /**
     * Whether PostgreSQL rolled back the transaction because of a concurrent one, so that it can be repeated at once.
     */
    public static boolean isRetryable(Throwable failure) {
        return state(failure)
                .filter(state -> state.equals("40P01") || state.equals("40001"))
                .isPresent();
    }

    public static boolean isUniqueViolation(Throwable failure) {
        return state(failure).filter("23505"::equals).isPresent();
    }

    private static Optional<String> state(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return Optional.of(sql.getSQLState());
            }
        }
        return Optional.empty();
    }

    /** Class 08 connection, 53 resources, 57P0x shutdown, 57014 and 55P03 time-outs, 25006 read-only, 25P03 idle. */
    private static boolean isOutageState(@org.jspecify.annotations.Nullable String state) {
        return state != null
                && (state.startsWith("08")
                        || state.startsWith("53")
                        || state.startsWith("57P")
                        || state.startsWith("58")
                        || state.equals("57014")
                        || state.equals("55P03")
                        || state.equals("25006")
                        || state.equals("25P03"));
    }
}
