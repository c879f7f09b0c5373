package dev.parley.db.embedded;

import dev.parley.disk.WritableDirectory;
import dev.parley.settings.PostgresSize;
import dev.parley.settings.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Restarts an embedded PostgreSQL whose server process exited, for example by the kernel's out-of-memory killer, on the
 * same port, so that connection pools reconnect. After several failed attempts it reports the loss of the database.
 */
public final class PostgresSupervisor implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(PostgresSupervisor.class);

    /** The delay before each attempt. */
    private static final List<Duration> BACKOFF =
            List.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final Duration SPACE_CHECK = Duration.ofSeconds(1);

    private final Runnable onLoss;
    private final Thread thread;
    private volatile EmbeddedPostgres postgres;
    private volatile boolean closed;

    private PostgresSupervisor(EmbeddedPostgres postgres, Runnable onLoss) {
        this.postgres = postgres;
        this.onLoss = onLoss;
        this.thread = Thread.ofPlatform().daemon().name("postgres-supervisor").unstarted(this::supervise);
    }

    /**
     * Starts PostgreSQL with its data in the directory.
     *
     * @param size of its memory and connections
     * @param onLoss called once, when PostgreSQL exited and cannot be restarted
     */
    public static PostgresSupervisor start(Path directory, PostgresSize size, Runnable onLoss) {
        var supervisor = new PostgresSupervisor(EmbeddedPostgres.start(directory, size), onLoss);
        supervisor.thread.start();
        return supervisor;
    }

    public String jdbcUrl() {
        return postgres.jdbcUrl();
    }

    public String user() {
        return postgres.user();
    }

    public String password() {
        return postgres.password();
    }

    /** Stops PostgreSQL, even during a restart. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_LIMIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        postgres.close();
    }

    private void supervise() {
        try {
            while (!closed) {
                int status = postgres.awaitExit();
                if (closed) {
                    return;
                }
                LOG.errorf("The embedded PostgreSQL exited with status %d and is restarted", status);
                if (!restart()) {
                    onLoss.run();
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** PostgreSQL cannot recover on a full disk, so no attempt is spent on it. */
    private void awaitSpace() throws InterruptedException {
        Path directory = postgres.directory();
        if (WritableDirectory.isFull(directory)) {
            LOG.errorf("The disk of %s is full; the embedded PostgreSQL is restarted when it has space", directory);
            while (WritableDirectory.isFull(directory)) {
                Thread.sleep(SPACE_CHECK);
            }
        }
    }

    /** Returns false if all attempts failed. */
    private boolean restart() throws InterruptedException {
        for (Duration pause : BACKOFF) {
            Thread.sleep(pause);
            awaitSpace();
            try {
                postgres = postgres.restart();
                LOG.info("The embedded PostgreSQL is running again");
                return true;
            } catch (SettingsException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LOG.errorf("%s", e.getMessage());
            }
        }
        LOG.fatalf("The embedded PostgreSQL exited and could not be restarted in %d attempts", BACKOFF.size());
        return false;
    }
}
