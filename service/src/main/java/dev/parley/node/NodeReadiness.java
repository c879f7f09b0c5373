package dev.parley.node;

import dev.parley.db.Database;
import dev.parley.db.SqlFailure;
import dev.parley.disk.WritableDirectory;
import dev.parley.settings.Settings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.jboss.logging.Logger;

/**
 * The readiness checks of {@code /health/ready}: whether the database and the disk can be used, and this node holds its
 * lease. The schema needs no check, because the service listens only after its migrations; a check of the framework
 * reports the shutdown.
 *
 * <p>Tries the database and the disk at most once a second, whatever the number of requests, and answers within a second.
 */
@Singleton
public final class NodeReadiness {
    private static final Logger LOG = Logger.getLogger(NodeReadiness.class);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TIMEOUT_MILLIS = 1_000;

    private final Database database;
    private final NodeLease lease;
    private final Path data;
    private final Optional<Path> files;
    private CompletableFuture<NodeFaults> check = CompletableFuture.completedFuture(NodeFaults.NONE);
    private long checkedAt = System.nanoTime() - FRESH_NANOS;
    private NodeFaults logged = NodeFaults.NONE;

    public NodeReadiness(Database database, NodeLease lease, Settings.Storage storage, Settings.Files files) {
        this.database = database;
        this.lease = lease;
        this.data = storage.directory();
        // The check writes a file, and a service on standby writes none.
        this.files =
                files.bucket().isPresent() || lease.isStandby() ? Optional.empty() : Optional.of(files.directory());
    }

    /** Why the database and the disk cannot be used; empty if they can. */
    private record NodeFaults(Optional<String> database, Optional<String> disk) {
        static final NodeFaults NONE = new NodeFaults(Optional.empty(), Optional.empty());
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck databaseAnswers() {
        return () -> response("database", faults().database());
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck diskIsWritable() {
        return () -> response("disk", faults().disk());
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck standby() {
        return () -> HealthCheckResponse.named("standby")
                .up()
                .withData("standby", lease.isStandby())
                .build();
    }

    private static HealthCheckResponse response(String name, Optional<String> fault) {
        var response = HealthCheckResponse.named(name).status(fault.isEmpty());
        fault.ifPresent(cause -> response.withData("cause", cause));
        return response.build();
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck leaseIsHeld() {
        return () ->
                HealthCheckResponse.named("node lease").status(lease.isHeld()).build();
    }

    private NodeFaults faults() {
        NodeFaults faults;
        try {
            faults = currentCheck().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            faults = slow();
        } catch (ExecutionException | TimeoutException _) {
            faults = slow();
        }
        logChange(faults);
        return faults;
    }

    private static NodeFaults slow() {
        return new NodeFaults(
                Optional.of("The database or the disk does not respond within a second."), Optional.empty());
    }

    /** The check in progress or just completed; else a new one. */
    private synchronized CompletableFuture<NodeFaults> currentCheck() {
        if (check.isDone() && System.nanoTime() - checkedAt >= FRESH_NANOS) {
            checkedAt = System.nanoTime();
            check = new CompletableFuture<>();
            CompletableFuture<NodeFaults> response = check;
            Thread.ofVirtual().name("readiness").start(() -> response.complete(new NodeFaults(database(), disk())));
        }
        return check;
    }

    private Optional<String> database() {
        if (Boolean.getBoolean(NodeLease.ONLY_NODE) && WritableDirectory.isFull(data)) {
            return Optional.of(SqlFailure.Outage.FULL.sentence() + ".");
        }
        return database.outage().map(outage -> outage.sentence() + ".");
    }

    private Optional<String> disk() {
        return Stream.concat(Stream.of(data), files.stream())
                .flatMap(directory -> WritableDirectory.fault(directory)
                        .map(reason -> "The directory " + directory + " cannot be written: " + reason + ".")
                        .stream())
                .findFirst();
    }

    private synchronized void logChange(NodeFaults faults) {
        if (!faults.equals(logged)) {
            logged = faults;
            if (faults.equals(NodeFaults.NONE)) {
                LOG.info("The database and the disk can be used again");
            } else {
                Stream.concat(faults.database().stream(), faults.disk().stream())
                        .forEach(LOG::warn);
            }
        }
    }
}
