package dev.parley.node;

import dev.parley.db.Database;
import dev.parley.db.SqlFailure;
import dev.parley.disk.WritableDirectory;
import dev.parley.settings.Settings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final NodeFaults SLOW =
            new NodeFaults(Optional.of("The database or the disk does not respond within a second."), Optional.empty());

    private final Database database;
    private final NodeLease lease;
    private final Path data;
    private final CachedCheck<NodeFaults> check;
    private NodeFaults logged = NodeFaults.NONE;

    public NodeReadiness(Database database, NodeLease lease, Settings.Storage storage) {
        this.database = database;
        this.lease = lease;
        this.data = storage.directory();
        this.check = new CachedCheck<>("readiness", PERIOD, TIMEOUT, SLOW, () -> new NodeFaults(database(), disk()));
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

    /** The answer of a check. */
    public static HealthCheckResponse response(String name, Optional<String> fault) {
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
        NodeFaults faults = check.result().join();
        logChange(faults);
        return faults;
    }

    private Optional<String> database() {
        if (Boolean.getBoolean(NodeLease.ONLY_NODE) && WritableDirectory.isFull(data)) {
            return Optional.of(SqlFailure.Outage.FULL.sentence() + ".");
        }
        return database.outage().map(outage -> outage.sentence() + ".");
    }

    private Optional<String> disk() {
        return WritableDirectory.fault(data)
                .map(reason -> "The directory " + data + " cannot be written: " + reason + ".");
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
