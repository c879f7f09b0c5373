package dev.parley.event;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Deletes expired events and subscriptions. */
@Singleton
final class EventDeletionJob {
    private final EventStore store;
    private final EventSubscriptions subscriptions;
    private final Clock clock;

    EventDeletionJob(Database database, EventSubscriptions subscriptions, Clock clock) {
        this.store = database.statements(EventStore.class);
        this.subscriptions = subscriptions;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("delete expired events", Duration.ofMinutes(10), this::deleteExpired);
    }

    void deleteExpired() {
        Instant now = clock.instant();
        int deleted;
        do {
            deleted = store.deleteExpired(now);
        } while (deleted > 0);
        subscriptions.deleteExpired();
    }
}
