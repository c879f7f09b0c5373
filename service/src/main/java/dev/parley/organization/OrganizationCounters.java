package dev.parley.organization;

import dev.parley.id.OrganizationId;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** Counters that start at 1 per organization and name, such as team ids and ticket numbers. */
public interface OrganizationCounters {
    /** The next number. Transactions of one organization that use the same counter wait for each other until commit. */
    @SqlQuery("""
            INSERT INTO organization_counter (organization_id, name, value) VALUES (:organization, :name, 1)
            ON CONFLICT (organization_id, name) DO UPDATE SET value = organization_counter.value + 1
            RETURNING value""")
    int next(OrganizationId organization, String name);
}
