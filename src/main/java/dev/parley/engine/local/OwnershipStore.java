package dev.parley.engine.local;

import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The owner of each instance, and the signals between nodes: a column and a table that only this engine uses. */
@Singleton
public final class OwnershipStore {
    private final Database database;
    private final InstanceReader reader;

    public OwnershipStore(Database database, InstanceReader reader) {
        this.database = database;
        this.reader = reader;
    }

    Optional<OwnedInstance> find(OrganizationId organization, WorkflowInstanceId id) {
        return reader.findOwned(organization, id)
                .map(row -> new OwnedInstance(row.instance(), row.owner() == null ? null : new NodeId(row.owner())));
    }

    /** The instances that a node owns: running ones, and paused ones whose tasks still execute. */
    List<InstanceKey> ownedBy(NodeId node) {
        return keys("SELECT organization_id AS organization, id FROM workflow_instance WHERE node_id = :node", node);
    }

    static void adopt(Handle handle, NodeId from, NodeId to) {
        handle.execute("UPDATE workflow_instance SET node_id = ? WHERE node_id = ?", to.value(), from.value());
    }

    /** Signals to the instance's owner that another node changed it. */
    void signal(InstanceKey key, NodeId owner) {
        database.change(handle -> handle.execute(
                "INSERT INTO workflow_instance_signal VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                key.organization().value(),
                key.id().value(),
                owner.value()));
    }

    /** Deletes and returns the signals for a node. Signals for a dead node go to the instance's current owner. */
    List<InstanceKey> takeSignals(NodeId node) {
        return keys("""
                DELETE FROM workflow_instance_signal s USING workflow_instance i
                WHERE i.organization_id = s.organization_id AND i.id = s.instance_id
                  AND (s.node_id = :node OR i.node_id = :node)
                RETURNING s.organization_id AS organization, s.instance_id AS id
                """, node);
    }

    /** The number of instances that other nodes run, by organization. */
    Map<OrganizationId, Integer> runningElsewhere(NodeId self) {
        return database.with(
                handle -> handle.createQuery("""
                        SELECT organization_id, count(*) FROM workflow_instance
                        WHERE status = 'RUNNING' AND node_id IS NOT NULL AND node_id <> :here
                        GROUP BY organization_id
                        """).bind("here", self).reduceRows(new HashMap<>(), (counts, row) -> {
                    counts.put(
                            row.getColumn("organization_id", OrganizationId.class),
                            row.getColumn("count", Integer.class));
                    return counts;
                }));
    }

    private List<InstanceKey> keys(String sql, NodeId node) {
        return database.with(handle -> handle.createQuery(sql)
                .bind("node", node)
                .mapTo(InstanceKey.class)
                .list());
    }
}
