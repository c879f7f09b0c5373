package dev.parley.engine.local;

import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.store.InstanceKey;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The owner of each instance: a column that only this engine uses. */
@Singleton
public final class OwnershipStore {
    private final Database database;

    public OwnershipStore(Database database) {
        this.database = database;
    }

    /**
     * An instance that a node owns.
     *
     * @param stateVersion at least the version of the last change by another node
     */
    record OwnedRow(OrganizationId organization, WorkflowInstanceId id, int stateVersion) {
        InstanceKey key() {
            return new InstanceKey(organization, id);
        }
    }

    /** The instances that a node owns: running ones, and paused ones whose tasks still execute. */
    List<OwnedRow> ownedBy(NodeId node) {
        return database.with(handle ->
                handle.createQuery("""
                        SELECT organization_id AS organization, id, state_version FROM workflow_instance
                        WHERE node_id = :node
                        """).bind("node", node).mapTo(OwnedRow.class).list());
    }

    /** Adds to the handlings that have not returned. */
    void countUnreturned(InstanceKey key, int change) {
        database.change(handle -> handle.createUpdate("""
                        UPDATE workflow_instance
                        SET unreturned_handlings = greatest(0, unreturned_handlings + :change)
                        WHERE organization_id = :organization AND id = :id
                        """)
                .bind("change", change)
                .bind("organization", key.organization())
                .bind("id", key.id())
                .execute());
    }

    /** An unfinished instance of any node, and how many of its handlings did not return. */
    record UnreturnedRow(OrganizationId organization, WorkflowInstanceId id, int unreturnedHandlings) {
        InstanceKey key() {
            return new InstanceKey(organization, id);
        }
    }

    List<UnreturnedRow> unreturned() {
        return database.with(
                handle -> handle.createQuery("""
                        SELECT organization_id AS organization, id, unreturned_handlings FROM workflow_instance
                        WHERE unreturned_handlings > 0 AND status IN ('RUNNING', 'PAUSED')
                        """).mapTo(UnreturnedRow.class).list());
    }

    /** Instances in which a task stops waiting now, owned by this node or by none. */
    List<InstanceKey> toWake(NodeId node, Instant now) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id AS organization, id FROM workflow_instance
                        WHERE wake_at <= :now AND (node_id IS NULL OR node_id = :node) AND unreturned_handlings < 2
                        ORDER BY wake_at LIMIT 500
                        """)
                .bind("now", now)
                .bind("node", node)
                .mapTo(InstanceKey.class)
                .list());
    }

    static void adopt(Handle handle, NodeId from, NodeId to) {
        handle.execute("UPDATE workflow_instance SET node_id = ? WHERE node_id = ?", to.value(), from.value());
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
}
