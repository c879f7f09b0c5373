package dev.parley.datalake;

import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import org.jdbi.v3.core.Handle;

/** Prevents that a data lake is deleted while something uses it: a port. */
public interface DataLakeDeletionGuard {
    /** Throws a CONFLICT problem that names the users. The caller has locked the data lake's row. */
    void requireUnused(Handle handle, OrganizationId organization, DataLakeId lake);
}
