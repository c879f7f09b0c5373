package dev.parley.monitoring;

import java.time.Instant;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** Reads what waits in all organizations. */
interface BacklogStore {
    /** Rows of each kind that are read at most, so that the statement takes at most a fraction of a second. */
    int MAX_TICKETS = 10_000;

    int MAX_CONVERSATIONS = 1_000;

    /**
     * The inner {@code LIMIT} and {@code OFFSET 0} make the planner look rows up by key, one after the other: it would
     * read the unfinished instances of all conversations. Organizations and leases are read whole, and are few.
     */
    String BACKLOG = """
            SELECT open_tickets, overdue_tickets, coalesce(extract(epoch FROM :now - oldest), 0)::float8 AS oldest_seconds
            FROM (
                SELECT count(*) AS open_tickets, count(*) FILTER (WHERE due_at < :now) AS overdue_tickets
                FROM (
                    SELECT t.due_at FROM organization o CROSS JOIN LATERAL (
                        SELECT due_at FROM ticket
                        WHERE organization_id = o.id AND status IN ('OPEN', 'IN_PROGRESS') LIMIT\s""" + MAX_TICKETS + """
                    ) t
                    WHERE o.deleted_at IS NULL LIMIT\s""" + MAX_TICKETS + """
                ) found
            ) tickets CROSS JOIN (
                SELECT min(m.created_at) AS oldest
                FROM (SELECT * FROM conversation_lease ORDER BY from_message LIMIT\s""" + MAX_CONVERSATIONS + """
                ) l
                CROSS JOIN LATERAL (
                    SELECT created_at FROM message
                    WHERE organization_id = l.organization_id AND conversation_id = l.conversation_id
                      AND id >= l.from_message AND type = 'USER_INPUT' AND status IN ('RECEIVED', 'PROCESSING')
                    ORDER BY id LIMIT 1
                ) m
                WHERE NOT EXISTS (
                    SELECT FROM workflow_instance i
                    WHERE i.organization_id = l.organization_id AND i.conversation_id = l.conversation_id
                      AND i.status IN ('RUNNING', 'PAUSED') OFFSET 0
                )
            ) messages""";

    /**
     * What waits; not a number if it is unknown.
     *
     * @param oldestSeconds age of the oldest waiting message
     */
    record Backlog(double openTickets, double overdueTickets, double oldestSeconds) {
        static final Backlog UNKNOWN = new Backlog(Double.NaN, Double.NaN, Double.NaN);
    }

    @SqlQuery(BACKLOG)
    Backlog read(Instant now);
}
