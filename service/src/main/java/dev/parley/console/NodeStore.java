package dev.parley.console;

import java.util.List;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** The rows of nodes. */
interface NodeStore {
    /** At most a page: a database with more nodes has other problems. */
    @SqlQuery("""
            SELECT id, name, version, schema_version, started_at, lease_until > now() AS alive
            FROM node ORDER BY started_at, id LIMIT 100
            """)
    List<NodeResource.RunningNode> all();
}
