package dev.parley.blob;

import dev.parley.node.CachedCheck;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeReadiness;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.jboss.logging.Logger;

/**
 * The check of {@code /health/ready} for the file store. Tries it at most every two seconds, whatever the number of
 * requests. On standby nothing is checked, because the local check writes a file.
 */
@Singleton
public final class StoreReadiness {
    private static final Logger LOG = Logger.getLogger(StoreReadiness.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Optional<String> SLOW = Optional.of("The file store does not respond within a second.");

    private final CachedCheck<Optional<String>> check;
    private Optional<String> logged = Optional.empty();

    public StoreReadiness(BlobStore store, NodeLease lease) {
        this.check = new CachedCheck<>(
                "file-store-check", PERIOD, TIMEOUT, SLOW, () -> lease.isStandby() ? Optional.empty() : store.fault());
    }

    @Produces
    @Singleton
    @org.eclipse.microprofile.health.Readiness
    HealthCheck storeIsUsable() {
        return () -> NodeReadiness.response("file store", fault());
    }

    private Optional<String> fault() {
        Optional<String> fault = check.result().join();
        logChange(fault);
        return fault;
    }

    private synchronized void logChange(Optional<String> fault) {
        if (!fault.equals(logged)) {
            logged = fault;
            fault.ifPresentOrElse(LOG::warn, () -> LOG.info("The file store can be used again"));
        }
    }
}
