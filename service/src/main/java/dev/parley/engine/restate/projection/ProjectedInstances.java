package dev.parley.engine.restate.projection;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceKey;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the statuses of projected instances. */
@Singleton
public final class ProjectedInstances {
    private final Database database;

    public ProjectedInstances(Database database) {
        this.database = database;
    }

    /** The statuses of instances; one that does not exist is absent. */
    public Map<InstanceKey, InstanceStatus> statuses(List<InstanceKey> keys) {
        record InstanceRow(OrganizationId organization, WorkflowInstanceId id, InstanceStatus status) {}
        if (keys.isEmpty()) {
            return Map.of();
        }
        return database.with(handle -> handle.createQuery("""
                        SELECT i.organization_id AS organization, i.id, i.status
                        FROM unnest(:organizations, :ids) AS k (organization_id, id)
                            JOIN workflow_instance i ON i.organization_id = k.organization_id AND i.id = k.id
                        """)
                .bindArray(
                        "organizations",
                        UUID.class,
                        keys.stream().map(key -> key.organization().value()).toArray())
                .bindArray(
                        "ids",
                        UUID.class,
                        keys.stream().map(key -> key.id().value()).toArray())
                .mapTo(InstanceRow.class)
                .collect(Collectors.toMap(row -> new InstanceKey(row.organization, row.id), InstanceRow::status)));
    }

    /** An earlier state of an instance that has ended; empty if PostgreSQL does not have it. */
    public Optional<InstanceState> at(InstanceHeader header, ExecutionPlan plan, int version) {
        record LoggedState(String state, @Nullable List<String> deltas) {}
        return database.with(handle -> handle.createQuery("""
                        SELECT i.state, (SELECT array_agg(l.delta ORDER BY l.version) FROM workflow_instance_change l
                            WHERE l.organization_id = i.organization_id AND l.instance_id = i.id
                              AND l.version <= :version) AS deltas
                        FROM workflow_instance i WHERE i.organization_id = :organization AND i.id = :id
                        """)
                .bind("organization", header.organization())
                .bind("id", header.id())
                .bind("version", version)
                .mapTo(LoggedState.class)
                .findOne()
                .map(found -> {
                    InstanceState latest = InstanceJson.readState(found.state, plan);
                    InstanceState state = InstanceState.create(plan, latest.trigger(), latest.createdAt());
                    for (String delta : found.deltas == null ? List.<String>of() : found.deltas) {
                        state = InstanceJson.readDelta(delta).applyTo(state);
                    }
                    return state;
                })
                .filter(state -> state.version() == version));
    }

    /** The number of running instances of an organization, without those that only wait. */
    int running(OrganizationId organization) {
        return database.with(handle -> handle.createQuery("""
                        SELECT count(*) FROM workflow_instance
                        WHERE organization_id = :organization AND status = 'RUNNING' AND wake_at IS NULL
                        """)
                .bind("organization", organization)
                .mapTo(Integer.class)
                .one());
    }
}
