package dev.parley.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** How far the service's processing of messages has come, by its tables. */
final class Messages {
    private static final long TIMEOUT = TimeUnit.MINUTES.toNanos(5);

    private Messages() {}

    static long waiting(DataSource database) {
        return count(database, "type = 'USER_INPUT' AND status IN ('RECEIVED', 'PROCESSING')");
    }

    static long count(DataSource database, String condition) {
        return countIn(database, "message WHERE " + condition);
    }

    private static long countIn(DataSource database, String from) {
        try (Connection connection = database.getConnection();
                var rows = connection.createStatement().executeQuery("SELECT count(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new BenchException("The messages could not be counted: " + e.getMessage());
        }
    }

    /** The database's processes that serve the bench itself. */
    static Set<Long> backends(DataSource database) {
        Set<Long> pids = new HashSet<>();
        try (Connection connection = database.getConnection();
                var rows = connection
                        .createStatement()
                        .executeQuery(
                                "SELECT pid FROM pg_stat_activity WHERE application_name = '" + Service.DRIVER + "'")) {
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
            return pids;
        } catch (SQLException e) {
            throw new BenchException("The bench's connections are not known: " + e.getMessage());
        }
    }

    static void awaitWebhooks(DataSource database) {
        long deadline = System.nanoTime() + TIMEOUT;
        // Queues are few; to count deliveries would take a core from what is measured.
        while (countIn(database, "webhook_queue WHERE NOT gone") > 0) {
            if (System.nanoTime() > deadline) {
                throw new BenchException("Webhooks were not sent within five minutes.");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    static void awaitProcessed(DataSource database) {
        long deadline = System.nanoTime() + TIMEOUT;
        while (waiting(database) > 0) {
            if (System.nanoTime() > deadline) {
                throw new BenchException(waiting(database) + " messages were not processed within five minutes.");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }
}
