package dev.parley.media;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.media.MediaStore.OrphanCandidate;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Finds files stored by a task run that was never committed, because its node died or another result was stored first. No
 * output and no message names such a file. It is checked a day later, after its instance ended, and handed to
 * {@link AbandonedUploadJob}; a file in use is not checked again.
 */
@Singleton
public final class OrphanedFiles {
    private static final Duration INTERVAL = Duration.ofMinutes(30);
    private static final int BATCH = 200;

    private final MediaStore store;
    private final Clock clock;

    public OrphanedFiles(Database database, Clock clock) {
        this.store = database.statements(MediaStore.class);
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob leftovers() {
        return new MaintenanceJob("abandon orphaned files", INTERVAL, this::review);
    }

    void review() {
        Instant before = clock.instant().minus(AbandonedUploadJob.RETENTION);
        var last = new OrphanCandidate(new OrganizationId(new UUID(0, 0)), new UploadId(new UUID(0, 0)), Instant.EPOCH);
        List<OrphanCandidate> candidates;
        do {
            candidates = store.orphanCandidates(last, before, BATCH);
            for (OrphanCandidate candidate : candidates) {
                // A URI contains the file's id between slashes.
                switch (store.checkOrphan(candidate, "/" + candidate.id().text() + "/")) {
                    case NAMED -> store.endOrphanCheck(candidate, Upload.State.STORED);
                    case LEFT_OVER -> store.endOrphanCheck(candidate, Upload.State.ABANDONED);
                    case MAY_BE_NAMED -> {} // Checked again when its instance may have ended.
                }
                last = candidate;
            }
        } while (candidates.size() == BATCH);
    }
}
