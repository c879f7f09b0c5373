package dev.parley.node;

import dev.parley.db.Database;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.jboss.logging.Logger;

/**
 * The readiness check of {@code /health/ready}: whether the database responds and this node holds its lease. The schema
 * needs no check, because the service listens only after its migrations; a check of the framework reports the shutdown.
 *
 * <p>Queries the database at most once a second, whatever the number of requests, and answers within a second.
 */
@Singleton
public final class NodeReadiness {
    private static final Logger LOG = Logger.getLogger(NodeReadiness.class);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TIMEOUT_MILLIS = 1_000;

    private final Database database;
    private final NodeLease lease;
    private CompletableFuture<Boolean> check = CompletableFuture.completedFuture(true);
    private long checkedAt = System.nanoTime() - FRESH_NANOS;
    private boolean wasUp = true;

    public NodeReadiness(Database database, NodeLease lease) {
        this.database = database;
        this.lease = lease;
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck databaseAnswers() {
        return () -> HealthCheckResponse.named("database").status(isUp()).build();
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck leaseIsHeld() {
        return () ->
                HealthCheckResponse.named("node lease").status(lease.isHeld()).build();
    }

    private boolean isUp() {
        boolean isUp;
        try {
            isUp = currentCheck().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isUp = false;
        } catch (ExecutionException | TimeoutException _) {
            isUp = false;
        }
        logChange(isUp);
        return isUp;
    }

    /** The check in progress or just completed; else a new one. */
    private synchronized CompletableFuture<Boolean> currentCheck() {
        if (check.isDone() && System.nanoTime() - checkedAt >= FRESH_NANOS) {
            checkedAt = System.nanoTime();
            check = new CompletableFuture<>();
            CompletableFuture<Boolean> response = check;
            Thread.ofVirtual().name("readiness").start(() -> response.complete(answers()));
        }
        return check;
    }

    private boolean answers() {
        try {
            return database.with(handle ->
                    handle.createQuery("SELECT true").mapTo(Boolean.class).one());
        } catch (RuntimeException _) {
            return false;
        }
    }

    private synchronized void logChange(boolean isUp) {
        if (isUp != wasUp) {
            wasUp = isUp;
            LOG.logf(
                    isUp ? Logger.Level.INFO : Logger.Level.WARN,
                    "The database %s",
                    isUp ? "responds again" : "does not respond");
        }
    }
}
