package dev.parley.media;

import dev.parley.blob.BlobStore;
import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Deletes uploads that were not used within 24 hours. A file is first abandoned in the database, so that no message can
 * use it from then on; its row is deleted last, so that a failed deletion is retried.
 */
@Singleton
public final class AbandonedUploadJob {
    static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration INTERVAL = Duration.ofMinutes(30);
    private static final int BATCH = 200;

    private final MediaStore store;
    private final BlobStore blobs;
    private final Clock clock;

    public AbandonedUploadJob(Database database, BlobStore blobs, Clock clock) {
        this.store = database.statements(MediaStore.class);
        this.blobs = blobs;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("delete abandoned uploads", INTERVAL, this::clear);
    }

    void clear() {
        Instant before = clock.instant().minus(RETENTION);
        List<Upload> abandoned;
        do {
            abandoned = store.abandon(before, BATCH);
            for (Upload upload : abandoned) {
                blobs.delete(upload.key());
                store.delete(upload.organization(), upload.id());
            }
        } while (abandoned.size() == BATCH);
        blobs.sweep(before);
    }
}
