package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** Deletes old deliveries by their ids, whose prefix is their time, so that no further index is needed. */
@Singleton
final class DeliveryDeletionJob {
    /** The retention of deliveries and their attempts. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private final DeliveryStore store;
    private final Clock clock;

    DeliveryDeletionJob(Database database, Clock clock) {
        this.store = database.statements(DeliveryStore.class);
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("delete old webhook deliveries", Duration.ofHours(1), this::deleteExpired);
    }

    void deleteExpired() {
        UUID before = UuidV7.floor(clock.instant().minus(RETENTION));
        for (OrganizationId organization : store.organizations()) {
            int deleted;
            do {
                deleted = store.deleteBefore(organization, before);
            } while (deleted > 0);
        }
    }
}
