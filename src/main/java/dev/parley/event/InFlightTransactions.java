package dev.parley.event;

import dev.parley.db.Database;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The unfinished transactions of all nodes that have written to tables with events. They are identified by the table
 * lock that a writer holds until its commit is visible to everyone.
 */
final class InFlightTransactions {
    private static final String WRITERS = """
            SELECT DISTINCT virtualtransaction FROM pg_locks
            WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND relation IN ('message'::regclass, 'ticket'::regclass, 'workflow_instance'::regclass,
                  'workflow_instance_log'::regclass)
            """;

    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Database database;
    private final Set<String> transactions;

    private InFlightTransactions(Database database, Set<String> transactions) {
        this.database = database;
        this.transactions = transactions;
    }

    static InFlightTransactions now(Database database) {
        return new InFlightTransactions(database, writers(database));
    }

    private static Set<String> writers(Database database) {
        return database.with(handle ->
                new HashSet<>(handle.createQuery(WRITERS).mapTo(String.class).list()));
    }

    /** Waits until all of them have ended; false if the time runs out. */
    boolean ends(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!transactions.isEmpty()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(POLL_INTERVAL_NANOS);
            transactions.retainAll(writers(database));
        }
        return true;
    }
}
