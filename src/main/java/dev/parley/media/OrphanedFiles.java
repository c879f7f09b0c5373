package dev.parley.media;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
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

    private final Database database;
    private final Clock clock;

    public OrphanedFiles(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob leftovers() {
        return new MaintenanceJob("abandon orphaned files", INTERVAL, this::review);
    }

    private enum OrphanCheck {
        NAMED,
        MAY_BE_NAMED,
        LEFT_OVER
    }

    private record OrphanCandidate(OrganizationId organization, UploadId id, Instant createdAt) {}

    void review() {
        Instant before = clock.instant().minus(AbandonedUploadJob.RETENTION);
        var last = new OrphanCandidate(new OrganizationId(new UUID(0, 0)), new UploadId(new UUID(0, 0)), Instant.EPOCH);
        List<OrphanCandidate> candidates;
        do {
            candidates = after(last, before);
            for (OrphanCandidate candidate : candidates) {
                switch (check(candidate)) {
                    case NAMED -> setState(candidate, "STORED");
                    case LEFT_OVER -> setState(candidate, "ABANDONED");
                    case MAY_BE_NAMED -> {} // Checked again when its instance may have ended.
                }
                last = candidate;
            }
        } while (candidates.size() == BATCH);
    }

    /** Covers all organizations, because this is maintenance. */
    private List<OrphanCandidate> after(OrphanCandidate last, Instant before) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id AS organization, id, created_at FROM upload
                        WHERE stored_for IS NOT NULL AND state = 'STORED' AND created_at < :before
                          AND (created_at, organization_id, id) > (:at, :organization, :id)
                        ORDER BY created_at, organization_id, id LIMIT :limit
                        """)
                .bind("before", before)
                .bind("at", last.createdAt)
                .bind("organization", last.organization)
                .bind("id", last.id)
                .bind("limit", BATCH)
                .mapTo(OrphanCandidate.class)
                .list());
    }

    /** A URI contains the file's id between slashes. */
    private OrphanCheck check(OrphanCandidate candidate) {
        return database.with(handle -> handle.createQuery("""
                        WITH kept AS (
                            SELECT u.stored_for, i.id, i.conversation_id, i.state, i.finished_at
                            FROM upload u LEFT JOIN workflow_instance i
                                ON i.organization_id = u.organization_id AND i.id = u.stored_for
                            WHERE u.organization_id = :organization AND u.id = :id
                        )
                        SELECT CASE
                            WHEN strpos(k.state, :named) > 0
                                OR EXISTS (SELECT FROM upload_use s
                                    WHERE s.organization_id = :organization AND s.upload_id = :id
                                      AND s.used_by <> k.stored_for AND s.used_by IS DISTINCT FROM k.conversation_id)
                                OR EXISTS (SELECT FROM workflow_instance_change l
                                    WHERE l.organization_id = :organization AND l.instance_id = k.id
                                      AND strpos(l.delta, :named) > 0)
                                OR EXISTS (SELECT FROM message m
                                    WHERE m.organization_id = :organization AND m.conversation_id = k.conversation_id
                                      AND m.id > k.id AND strpos(m.file, :named) > 0)
                            THEN 'NAMED'
                            WHEN k.id IS NOT NULL AND k.finished_at IS NULL THEN 'MAY_BE_NAMED'
                            ELSE 'LEFT_OVER' END
                        FROM kept k
                        """)
                .bind("organization", candidate.organization)
                .bind("id", candidate.id)
                .bind("named", "/" + candidate.id.text() + "/")
                .mapTo(OrphanCheck.class)
                .one());
    }

    private void setState(OrphanCandidate candidate, String state) {
        database.change(handle -> handle.execute(
                "UPDATE upload SET stored_for = NULL, state = ? WHERE organization_id = ? AND id = ? AND state = 'STORED'",
                state,
                candidate.organization.value(),
                candidate.id.value()));
    }
}
