package dev.parley.datalake;

import dev.parley.datalake.store.DataLake;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import java.util.List;

/** Port: protects the published workflows that read a data lake. The caller has locked the data lake's row. */
public interface DataLakeUseGuard {
    /** Throws a CONFLICT problem that names the users. */
    void requireUnused(OrganizationId organization, DataLakeId lake);

    /**
     * Throws a CONFLICT problem that names the columns that published workflows read and that these are missing or have
     * another type.
     *
     * @param columns of the new table
     */
    void requireColumns(OrganizationId organization, DataLakeId lake, List<DataLake.Column> columns);
}
