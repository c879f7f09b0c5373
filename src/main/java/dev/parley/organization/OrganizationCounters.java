package dev.parley.organization;

import dev.parley.id.OrganizationId;
import org.jdbi.v3.core.Handle;

/** Counters that start at 1 per organization and name, such as team ids and ticket numbers. */
public final class OrganizationCounters {
    private OrganizationCounters() {}

    /** The next number. Transactions of one organization that use the same counter wait for each other until commit. */
    public static int next(Handle handle, OrganizationId organization, String name) {
        return handle.createQuery("""
                        INSERT INTO organization_counter (organization_id, name, value) VALUES (:organization, :name, 1)
                        ON CONFLICT (organization_id, name) DO UPDATE SET value = organization_counter.value + 1
                        RETURNING value""")
                .bind("organization", organization)
                .bind("name", name)
                .mapTo(Integer.class)
                .one();
    }
}
