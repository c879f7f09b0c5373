package dev.parley.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.workflow.attempt.AttemptWriter;
import dev.parley.workflow.attempt.TaskAttempt;
import java.time.Clock;
import java.time.Duration;

/** The local engine of a second node, next to that of the running service. */
public final class SecondEngine {
    private SecondEngine() {}

    public static LocalEngine on(NodeLease node) {
        return new LocalEngine(Tenant.bean(EngineServices.class), node);
    }

    /** An engine with a clock of its own that gives up a handling after a time. */
    static LocalEngine on(NodeLease node, Clock clock, Duration handlingDeadline) {
        EngineServices here = Tenant.bean(EngineServices.class);
        var services = new EngineServices(
                here.store(),
                here.ownership(),
                here.reader(),
                here.tasks(),
                here.messages(),
                here.delays(),
                here.ended(),
                here.subWorkflows(),
                here.attempts(),
                here.attemptWriter(),
                here.journals(),
                clock);
        return new LocalEngine(services, node, handlingDeadline);
    }

    /** Stores an attempt in progress. */
    public static void store(NodeId node, TaskAttempt attempt) {
        Tenant.bean(AttemptWriter.class).store(node, attempt);
    }

    /** Lets an engine find the instances that its node owns. */
    public static void adopt(LocalEngine engine) {
        engine.work().adopted();
    }

    /** Moves the instance to another node, like a takeover; the first node forgets everything that it runs. */
    public static void moveInstance(WorkflowInstanceId instance, NodeId from, NodeId to) {
        int moved = Tenant.bean(Database.class)
                .with(handle -> handle.execute(
                        "UPDATE workflow_instance SET node_id = ? WHERE id = ? AND node_id = ?",
                        to.value(),
                        instance.value(),
                        from.value()));
        assertThat(moved).as("instances that the node owned").isOne();
        Tenant.bean(LocalEngine.class).work().abandon(from);
    }
}
