package dev.parley.engine.local;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.EngineContract;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The engine contract for the local engine on two nodes. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LocalEngineTest extends EngineContract {
    private NodeLease otherNode;
    private LocalEngine otherEngine;

    @BeforeEach
    void addNode() {
        otherNode = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(1));
        otherNode.fenced(otherNode.id());
        otherEngine = SecondEngine.on(otherNode);
    }

    @AfterEach
    void removeNode() {
        otherNode.close();
    }

    @Override
    protected Engine engine() {
        return Tenant.bean(Engine.class);
    }

    @Override
    protected Engine otherEngine() {
        return otherEngine;
    }

    @Override
    protected void crash(WorkflowInstanceId instance) {
        SecondEngine.moveInstance(instance, Tenant.bean(NodeLease.class).id(), otherNode.id());
        SecondEngine.adopt(otherEngine);
    }
}
