package dev.parley.datalake;

import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import org.jdbi.v3.core.Handle;

/** Port: prevents the deletion of a data lake in use. */
public interface DataLakeDeletionGuard {
    /** Throws a CONFLICT problem that names the users. The caller has locked the data lake's row. */
    void requireUnused(Handle handle, OrganizationId organization, DataLakeId lake);
}
