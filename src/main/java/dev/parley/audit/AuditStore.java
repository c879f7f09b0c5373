package dev.parley.audit;

import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.UuidV7;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** The append-only table {@code audit_entry}, and the later saves that its entries cover. */
@Singleton
public final class AuditStore {
    /** An id may differ from its entry's time, when a clock was set back or nodes disagree. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofHours(1);

    /** An entry covers saves within this time. */
    static final Duration MAX_COVERED = Duration.ofHours(1);

    private final Database database;
    private final Clock clock;

    AuditStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The origin of a request. */
    record AuditOrigin(
            @Nullable String address,
            @Nullable String userAgent,
            @Nullable String requestId) {
        static final AuditOrigin NONE = new AuditOrigin(null, null, null);
    }

    /**
     * An entry to write.
     *
     * @param actor the email address of the user
     * @param targetName the target's name now, because it may be renamed or deleted later
     */
    record NewAuditEntry(
            UserId user,
            String actor,
            String action,
            @Nullable String target,
            @Nullable String targetName,
            List<AuditChange> changes,
            AuditOrigin origin) {}

    /**
     * A filter for a log; empty members do not restrict it.
     *
     * @param target the target's id, or part of its name in any case
     * @param changesOnly whether actions that only use something are left out
     */
    record AuditQuery(
            Optional<UserId> user,
            Optional<String> action,
            Optional<String> target,
            Optional<Instant> since,
            Optional<Instant> until,
            boolean changesOnly) {
        static final AuditQuery ALL = new AuditQuery(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    /** Writes an entry within a transaction; does nothing for an unknown organization. */
    void add(Handle handle, OrganizationId organization, NewAuditEntry entry) {
        handle.createUpdate("""
                        INSERT INTO audit_entry (organization_id, id, at, user_id, actor, action, target, target_name,
                            changes, is_change, address, user_agent, request_id)
                        SELECT id, :id, :at, :user, :actor, :action, :target, :name, :changes, :isChange, :address,
                            :agent, :request
                        FROM organization WHERE id = :organization""")
                .bind("organization", organization)
                .bind("id", AuditEntryId.next())
                .bind("at", clock.instant())
                .bind("user", entry.user())
                .bind("actor", entry.actor())
                .bind("action", entry.action())
                .bind("target", entry.target())
                .bind("name", entry.targetName())
                .bind("changes", StrictJson.write(entry.changes()))
                .bind("isChange", AuditAction.isChange(entry.action()))
                .bind("address", entry.origin().address())
                .bind("agent", entry.origin().userAgent())
                .bind("request", entry.origin().requestId())
                .execute();
    }

    /**
     * The latest change of the target, if it was the same action of the same person since a time. The lock keeps two
     * saves from continuing it at once.
     */
    Optional<AuditEntryId> lockLatestChange(
            Handle handle, OrganizationId organization, UserId user, String action, String target, Instant since) {
        record LatestChange(AuditEntryId id, boolean matches) {}
        return handle.createQuery("""
                        SELECT id, user_id = :user AND action = :action AS matches FROM audit_entry
                        WHERE organization_id = :organization AND is_change AND target = :target AND at >= :since
                          AND id >= :oldest
                        ORDER BY id DESC LIMIT 1 FOR UPDATE""")
                .bind("organization", organization)
                .bind("user", user)
                .bind("action", action)
                .bind("target", target)
                .bind("since", since)
                .bind("oldest", UuidV7.floor(since.minus(CLOCK_TOLERANCE)))
                .mapTo(LatestChange.class)
                .findOne()
                .filter(LatestChange::matches)
                .map(LatestChange::id);
    }

    /** Stores a later save that a locked entry covers, instead of an entry of its own. */
    void continueEntry(Handle handle, OrganizationId organization, AuditEntryId entry, List<AuditChange> later) {
        if (later.isEmpty()) {
            return;
        }
        String earlier = handle.createQuery("""
                        SELECT coalesce(c.changes, e.changes) FROM audit_entry e
                        LEFT JOIN audit_entry_continuation c
                            ON c.organization_id = e.organization_id AND c.entry_id = e.id
                        WHERE e.organization_id = :organization AND e.id = :entry""")
                .bind("organization", organization)
                .bind("entry", entry)
                .mapTo(String.class)
                .one();
        handle.createUpdate("""
                        INSERT INTO audit_entry_continuation AS c (organization_id, entry_id, until, changes)
                        VALUES (:organization, :entry, :until, :changes)
                        ON CONFLICT (organization_id, entry_id) DO UPDATE
                        SET until = greatest(c.until, EXCLUDED.until), changes = EXCLUDED.changes""")
                .bind("organization", organization)
                .bind("entry", entry)
                .bind("until", clock.instant())
                .bind("changes", StrictJson.write(AuditChange.merge(changes(earlier), later)))
                .execute();
    }

    /** Newest first. */
    List<AuditEntry> list(OrganizationId organization, AuditQuery filter, Optional<AuditEntryId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT e.id, e.at, c.until, e.user_id, e.actor, e.action, e.target, e.target_name,
                            coalesce(c.changes, e.changes) AS changes, e.address, e.user_agent, e.request_id
                        FROM (SELECT * FROM audit_entry e
                        WHERE organization_id = :organization
                          AND (:after::uuid IS NULL OR id < :after::uuid)
                          AND (:user::uuid IS NULL OR user_id = :user::uuid)
                          AND (:action::text IS NULL OR action = :action::text
                            OR starts_with(action, :action::text || '.'))
                          AND (:target::text IS NULL OR target = lower(:target::text)
                            OR strpos(lower(target_name), lower(:target::text)) > 0)
                          AND (:since::timestamptz IS NULL OR at >= :since::timestamptz
                            OR EXISTS (SELECT FROM audit_entry_continuation c
                                WHERE c.organization_id = :organization AND c.entry_id = e.id
                                  AND c.until >= :since::timestamptz))
                          AND (:until::timestamptz IS NULL OR at < :until::timestamptz)
                          AND id >= :oldest AND id < :newest %s
                        ORDER BY id DESC LIMIT :limit
                        ) e LEFT JOIN audit_entry_continuation c
                            ON c.organization_id = :organization AND c.entry_id = e.id
                        ORDER BY e.id DESC""".formatted(filter.changesOnly ? "AND is_change" : ""))
                .bind("organization", organization)
                .bind("after", after)
                .bind("user", filter.user())
                .bind("action", filter.action())
                .bind("target", filter.target())
                .bind("since", filter.since())
                .bind("until", filter.until())
                .bind(
                        "oldest",
                        UuidV7.floor(filter.since()
                                .map(since -> since.minus(CLOCK_TOLERANCE).minus(MAX_COVERED))
                                .orElse(Instant.EPOCH)))
                .bind(
                        "newest",
                        UuidV7.floor(filter.until().orElse(clock.instant()).plus(CLOCK_TOLERANCE)))
                .bind("limit", limit)
                .map(AuditStore::read)
                .list());
    }

    private static AuditEntry read(RowView row) {
        return new AuditEntry(
                row.getColumn("id", AuditEntryId.class),
                row.getColumn("at", Instant.class),
                row.getColumn("until", Instant.class),
                row.getColumn("user_id", UserId.class),
                row.getColumn("actor", String.class),
                row.getColumn("action", String.class),
                row.getColumn("target", String.class),
                row.getColumn("target_name", String.class),
                false,
                changes(row.getColumn("changes", String.class)),
                row.getColumn("address", String.class),
                row.getColumn("user_agent", String.class),
                row.getColumn("request_id", String.class));
    }

    private static List<AuditChange> changes(String json) {
        return List.of(StrictJson.readTrusted(json, AuditChange[].class));
    }
}
