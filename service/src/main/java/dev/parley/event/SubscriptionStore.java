package dev.parley.event;

import dev.parley.id.OrganizationId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code event_subscription}. */
interface SubscriptionStore {
    /**
     * A changed subscription; without one, the members but the first are null.
     *
     * @param seen transactions with this id or a later one may have changed further subscriptions
     */
    record ChangedSubscription(
            String seen,
            @Nullable OrganizationId organization,
            @Nullable UUID id,
            @Nullable String types,
            @Nullable Instant until) {}

    @SqlUpdate("""
            INSERT INTO event_subscription AS i (organization_id, id, types, until)
            VALUES (:organization, :id, :types, :until)
            ON CONFLICT (organization_id, id) DO UPDATE SET
                types = EXCLUDED.types, until = EXCLUDED.until, changed = EXCLUDED.changed""")
    void upsert(OrganizationId organization, UUID id, String types, Instant until);

    /** At least one row. */
    @SqlQuery("""
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS seen, i.organization_id AS organization, i.id, i.types,
                i.until
            FROM (SELECT 1) one LEFT JOIN event_subscription i ON i.changed >= CAST(:since AS text)::xid8""")
    List<ChangedSubscription> changedSince(String since);

    @SqlQuery("SELECT count(*) <= 1 FROM node")
    boolean isOnlyNode();

    /**
     * The unfinished transactions of all nodes that have written to tables with events. They are identified by the table
     * lock that a writer holds until its commit is visible to everyone.
     */
    @SqlQuery("""
            SELECT DISTINCT virtualtransaction FROM pg_locks
            WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND relation IN ('message'::regclass, 'ticket'::regclass, 'workflow_instance'::regclass,
                  'workflow_instance_log'::regclass)""")
    Set<String> writers();

    @SqlUpdate("DELETE FROM event_subscription WHERE until < :now")
    void deleteExpired(Instant now);
}
