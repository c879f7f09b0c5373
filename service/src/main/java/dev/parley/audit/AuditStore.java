package dev.parley.audit;

import dev.parley.http.json.StrictJson;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.UuidV7;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.sqlobject.SingleValue;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapper;
import org.jdbi.v3.sqlobject.customizer.AllowUnusedBindings;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The append-only table {@code audit_entry}, and the later saves that its entries cover. */
@RegisterColumnMapper(AuditStore.ChangesMapper.class)
interface AuditStore {
    /** An id may differ from its entry's time, when a clock was set back or nodes disagree. */
    Duration CLOCK_TOLERANCE = Duration.ofHours(1);

    /** An entry covers saves within this time. */
    Duration MAX_COVERED = Duration.ofHours(1);

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
            AuditOrigin origin) {
        public String changesJson() {
            return StrictJson.write(changes);
        }

        public boolean isChange() {
            return AuditAction.isChange(action);
        }
    }

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
        public UUID oldest() {
            return UuidV7.floor(since.map(time -> time.minus(CLOCK_TOLERANCE).minus(MAX_COVERED))
                    .orElse(Instant.EPOCH));
        }

        UUID newest(Instant now) {
            return UuidV7.floor(until.orElse(now).plus(CLOCK_TOLERANCE));
        }

        /** A condition of its own, for which there is an index. */
        String onlyChanges() {
            return changesOnly ? "AND is_change" : "";
        }
    }

    /** Reads changes from JSON. */
    final class ChangesMapper implements ColumnMapper<List<AuditChange>> {
        @Override
        public List<AuditChange> map(ResultSet row, int column, StatementContext context) throws SQLException {
            return List.of(StrictJson.readTrusted(row.getString(column), AuditChange[].class));
        }
    }

    /** Does nothing for an unknown organization. */
    @SqlUpdate("""
            INSERT INTO audit_entry (organization_id, id, at, user_id, actor, action, target, target_name, changes,
                is_change, address, user_agent, request_id)
            SELECT id, :id, :now, :user, :actor, :action, :target, :targetName, :changesJson, :isChange,
                :origin.address, :origin.userAgent, :origin.requestId
            FROM organization WHERE id = :organization""")
    void insert(OrganizationId organization, AuditEntryId id, Instant now, @BindMethods NewAuditEntry entry);

    /** A change of a target, and whether it was the same action of the same person. */
    record LatestChange(AuditEntryId id, boolean matches) {}

    /** The latest change of the entry's target since a time. The lock keeps two saves from continuing it at once. */
    @SqlQuery("""
            SELECT id, user_id = :user AND action = :action AS matches FROM audit_entry
            WHERE organization_id = :organization AND is_change AND target = :target AND at >= :since AND id >= :oldest
            ORDER BY id DESC LIMIT 1 FOR UPDATE""")
    Optional<LatestChange> lockLatestChange(
            OrganizationId organization, @BindMethods NewAuditEntry entry, Instant since, UUID oldest);

    @SingleValue
    @SqlQuery("""
            SELECT coalesce(c.changes, e.changes) FROM audit_entry e
            LEFT JOIN audit_entry_continuation c ON c.organization_id = e.organization_id AND c.entry_id = e.id
            WHERE e.organization_id = :organization AND e.id = :entry""")
    List<AuditChange> changes(OrganizationId organization, AuditEntryId entry);

    /** Stores a later save that a locked entry covers, instead of an entry of its own. */
    @SqlUpdate("""
            INSERT INTO audit_entry_continuation AS c (organization_id, entry_id, until, changes)
            VALUES (:organization, :entry, :now, :changes)
            ON CONFLICT (organization_id, entry_id) DO UPDATE
            SET until = greatest(c.until, EXCLUDED.until), changes = EXCLUDED.changes""")
    void continueEntry(OrganizationId organization, AuditEntryId entry, Instant now, String changes);

    /** Newest first. */
    @SqlQuery("""
            SELECT e.id, e.at, c.until, e.user_id, e.actor, e.action, e.target, e.target_name,
                coalesce(c.changes, e.changes) AS changes, e.address, e.user_agent, e.request_id
            FROM (SELECT * FROM audit_entry e
            WHERE organization_id = :organization
              AND (:after::uuid IS NULL OR id < :after::uuid)
              AND (:user::uuid IS NULL OR user_id = :user::uuid)
              AND (:action::text IS NULL OR action = :action::text OR starts_with(action, :action::text || '.'))
              AND (:target::text IS NULL OR target = lower(:target::text)
                OR strpos(lower(target_name), lower(:target::text)) > 0)
              AND (:since::timestamptz IS NULL OR at >= :since::timestamptz
                OR EXISTS (SELECT FROM audit_entry_continuation c
                    WHERE c.organization_id = :organization AND c.entry_id = e.id AND c.until >= :since::timestamptz))
              AND (:until::timestamptz IS NULL OR at < :until::timestamptz)
              AND id >= :oldest AND id < :newest <onlyChanges>
            ORDER BY id DESC LIMIT :limit
            ) e LEFT JOIN audit_entry_continuation c ON c.organization_id = :organization AND c.entry_id = e.id
            ORDER BY e.id DESC""")
    List<AuditEntry> list(
            OrganizationId organization,
            @BindMethods AuditQuery filter,
            UUID newest,
            @Define String onlyChanges,
            Optional<AuditEntryId> after,
            int limit);

    /** @param fields as JSON */
    record TargetRow(String id, String name, String fields) {}

    /** @param query of an {@link AuditTargetKind} */
    @AllowUnusedBindings
    @SqlQuery("<query>")
    List<TargetRow> targets(
            @Define String query, OrganizationId organization, List<String> ids, @Nullable String parent);

    /** The member with an email address. */
    @SqlQuery("""
            SELECT u.id FROM app_user u JOIN membership m ON m.user_id = u.id
            WHERE m.organization_id = :organization AND u.email = :email""")
    Optional<UserId> member(OrganizationId organization, String email);
}
