package dev.parley.workflow.instance.store;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The instances that tasks of other instances started, and their ends that the tasks do not know yet. */
@Singleton
public final class SubWorkflowStore {
    private final Database database;

    public SubWorkflowStore(Database database) {
        this.database = database;
    }

    /** The sub-workflow that a call started; empty if it has started none. */
    public Optional<WorkflowInstanceId> find(OrganizationId organization, WorkflowInstanceId parent, String key) {
        return database.with(handle -> handle.createQuery("""
                        SELECT id FROM workflow_instance
                        WHERE organization_id = :organization AND parent_instance_id = :parent AND parent_key = :key
                        """)
                .bind("organization", organization)
                .bind("parent", parent)
                .bind("key", key)
                .mapTo(WorkflowInstanceId.class)
                .findOne());
    }

    /** The newest sub-workflow of each task that has started one, by task id. */
    public Map<String, WorkflowInstanceId> newest(StoredInstance parent) {
        record SubWorkflow(String task, WorkflowInstanceId id) {}
        if (!parent.mayHaveSubWorkflows()) {
            return Map.of();
        }
        List<String> tasks = parent.state().plan().tasks().stream()
                .map(task -> task.id().value())
                .toList();
        return database.with(handle -> handle.createQuery("""
                        SELECT wanted.task, newest.id FROM unnest(:tasks) AS wanted (task) CROSS JOIN LATERAL (
                            SELECT id FROM workflow_instance
                            WHERE organization_id = :organization AND parent_instance_id = :parent
                              AND parent_task = wanted.task
                            ORDER BY id DESC LIMIT 1
                        ) AS newest
                        """)
                .bindArray("tasks", String.class, tasks)
                .bind("organization", parent.header().organization())
                .bind("parent", parent.header().id())
                .mapTo(SubWorkflow.class)
                .collect(Collectors.toMap(SubWorkflow::task, SubWorkflow::id)));
    }

    /** The unfinished sub-workflows of an instance. */
    public List<InstanceKey> unfinished(OrganizationId organization, WorkflowInstanceId parent) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id AS organization, id FROM workflow_instance
                        WHERE organization_id = :organization AND parent_instance_id = :parent
                          AND status IN ('RUNNING', 'PAUSED')
                        """)
                .bind("organization", organization)
                .bind("parent", parent)
                .mapTo(InstanceKey.class)
                .list());
    }

    /** Unfinished sub-workflows whose parent has ended. */
    public List<InstanceKey> orphans() {
        return database.with(
                handle -> handle.createQuery("""
                        SELECT child.organization_id AS organization, child.id FROM workflow_instance child
                        JOIN workflow_instance parent ON parent.organization_id = child.organization_id
                          AND parent.id = child.parent_instance_id
                        WHERE child.parent_instance_id IS NOT NULL AND child.status IN ('RUNNING', 'PAUSED')
                          AND parent.status NOT IN ('RUNNING', 'PAUSED') LIMIT 200
                        """).mapTo(InstanceKey.class).list());
    }

    /** Stores the end of a sub-workflow, in the transaction that ends it, until its task knows it. */
    public static void ended(Handle handle, InstanceHeader child, InstanceHeader.ParentTask parent, Instant at) {
        handle.createUpdate("""
                        INSERT INTO sub_workflow_end (organization_id, parent_instance_id, parent_task, parent_key, at)
                        VALUES (:organization, :parent, :task, :key, :at)
                        """)
                .bind("organization", child.organization())
                .bind("parent", parent.instance())
                .bind("task", parent.task())
                .bind("key", parent.key())
                .bind("at", at)
                .execute();
    }

    /** The end of a sub-workflow for the task that started it. */
    public record SubWorkflowEnd(OrganizationId organization, WorkflowInstanceId parent, String task, String key) {}

    /** Ends that no task knows although they were stored before this time. */
    public List<SubWorkflowEnd> unreported(Instant before) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id AS organization, parent_instance_id AS parent, parent_task AS task,
                            parent_key AS key
                        FROM sub_workflow_end WHERE at < :before ORDER BY at LIMIT 200
                        """)
                .bind("before", before)
                .mapTo(SubWorkflowEnd.class)
                .list());
    }

    /** Forgets an end that its task knows. */
    public void reported(SubWorkflowEnd end) {
        database.change(handle -> handle.createUpdate("""
                        DELETE FROM sub_workflow_end
                        WHERE organization_id = :organization AND parent_instance_id = :parent AND parent_key = :key
                        """)
                .bind("organization", end.organization)
                .bind("parent", end.parent)
                .bind("key", end.key)
                .execute());
    }
}
