package dev.parley.db;

import com.fasterxml.jackson.core.JacksonException;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Classifies database failures by their SQLSTATE. */
public final class SqlFailure {
    private SqlFailure() {}

    /** Why the database cannot be used, the most specific reasons first; the same request may succeed later. */
    public enum Outage {
        FULL("The disk of the database is full"),
        READ_ONLY("The database is read-only"),
        MEMORY("The database is out of memory"),
        CONNECTIONS("The database accepts no more connections"),
        STARTING("The database is starting, stopping or recovering"),
        FILES("The database cannot read or write its files"),
        SLOW("The database takes too long"),
        UNREACHABLE("The database cannot be reached");

        private final String sentence;

        Outage(String sentence) {
            this.sentence = sentence;
        }

        public String sentence() {
            return sentence;
        }

        /** Whether reads may succeed meanwhile. */
        boolean isOfWrites() {
            return this == FULL || this == READ_ONLY;
        }
    }

    /** The outage that caused a failure; empty if the failure has another cause. */
    public static Optional<Outage> outage(Throwable failure) {
        List<Outage> found = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                outage(sql).ifPresent(found::add);
            } else if (isConnectionFailure(cause)) {
                found.add(Outage.UNREACHABLE);
            }
        }
        // The pool wraps the reason why it has no connection.
        return found.stream().min(Comparator.naturalOrder());
    }

    private static boolean isConnectionFailure(Throwable cause) {
        // A value that is no JSON, or has other members, is a defect of the service.
        return (cause instanceof IOException && !(cause instanceof JacksonException))
                || cause instanceof SQLTransientConnectionException;
    }

    private static Optional<Outage> outage(SQLException failure) {
        String message = String.valueOf(failure.getMessage());
        String state = String.valueOf(failure.getSQLState());
        // PostgreSQL has a SQLSTATE for ENOSPC, but not for EDQUOT and EROFS. Classes 22 and 23 quote values.
        boolean isOfSystem = !state.startsWith("22") && !state.startsWith("23");
        if (isOfSystem && (message.contains("No space left on device") || message.contains("Disk quota exceeded"))) {
            return Optional.of(Outage.FULL);
        }
        if (isOfSystem && message.contains("Read-only file system")) {
            return Optional.of(Outage.READ_ONLY);
        }
        return switch (state) {
            case "53100" -> Optional.of(Outage.FULL);
            case "53200" -> Optional.of(Outage.MEMORY);
            case "53300" -> Optional.of(Outage.CONNECTIONS);
            case "25006" -> Optional.of(Outage.READ_ONLY);
            case "57014", "55P03", "25P03" -> Optional.of(Outage.SLOW);
            default -> outageOfClass(failure, state);
        };
    }

    /** Class 08 connection, 53 resources, 57P shutdown, 58 system. */
    private static Optional<Outage> outageOfClass(SQLException failure, String state) {
        if (state.startsWith("57P")) {
            return Optional.of(Outage.STARTING);
        }
        if (state.startsWith("58")) {
            return Optional.of(Outage.FILES);
        }
        return Optional.of(Outage.UNREACHABLE)
                .filter(_ -> state.startsWith("08")
                        || state.startsWith("53")
                        || isClosed(failure)
                        || isConnectionFailure(failure));
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
}
