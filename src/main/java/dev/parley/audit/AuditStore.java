package dev.parley.audit;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The append-only table {@code audit_entry}. */
@Singleton
public final class AuditStore {
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
     * @param actor the e-mail address of the user
     */
    record NewAuditEntry(
            UserId user,
            String actor,
            String action,
            @Nullable String target,
            AuditOrigin origin) {}

    /** A filter for a log; empty members do not restrict it. */
    record AuditQuery(
            Optional<UserId> user, Optional<String> action, Optional<Instant> since, Optional<Instant> until) {}

    /** Writes an entry; does nothing for an unknown organization. */
    void add(
            OrganizationId organization,
            DashboardUser person,
            String action,
            @Nullable String target,
            AuditOrigin origin) {
        database.change(handle ->
                add(handle, organization, new NewAuditEntry(person.id(), person.email(), action, target, origin)));
    }

    /** Same within a transaction. */
    void add(Handle handle, OrganizationId organization, NewAuditEntry entry) {
        handle.createUpdate("""
                        INSERT INTO audit_entry (organization_id, id, at, user_id, actor, action, target, address,
                            user_agent, request_id)
                        SELECT id, :id, :at, :user, :actor, :action, :target, :address, :agent, :request
                        FROM organization WHERE id = :organization""")
                .bind("organization", organization)
                .bind("id", AuditEntryId.next())
                .bind("at", clock.instant())
                .bind("user", entry.user())
                .bind("actor", entry.actor())
                .bind("action", entry.action())
                .bind("target", entry.target())
                .bind("address", entry.origin().address())
                .bind("agent", entry.origin().userAgent())
                .bind("request", entry.origin().requestId())
                .execute();
    }

    /** Newest first. */
    List<AuditEntry> list(OrganizationId organization, AuditQuery filter, Optional<AuditEntryId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT id, at, user_id, actor, action, target, address, user_agent, request_id
                        FROM audit_entry
                        WHERE organization_id = :organization
                          AND (:after::uuid IS NULL OR id < :after::uuid)
                          AND (:user::uuid IS NULL OR user_id = :user::uuid)
                          AND (:action::text IS NULL OR action = :action::text)
                          AND (:since::timestamptz IS NULL OR at >= :since::timestamptz)
                          AND (:until::timestamptz IS NULL OR at < :until::timestamptz)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("organization", organization)
                .bind("after", after)
                .bind("user", filter.user())
                .bind("action", filter.action())
                .bind("since", filter.since())
                .bind("until", filter.until())
                .bind("limit", limit)
                .mapTo(AuditEntry.class)
                .list());
    }
}
