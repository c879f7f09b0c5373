package dev.parley.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The running service and the engine of a second node on the same database. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TwoEnginesTest {
    private Tenant tenant;
    private NodeLease otherNode;
    private LocalEngine otherEngine;

    @BeforeEach
    void aSecondNode() {
        tenant = Tenant.create();
        otherNode = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(1));
        otherNode.fenced(otherNode.id());
        otherEngine = SecondEngine.on(otherNode);
    }

    @AfterEach
    void close() {
        otherNode.close();
    }

    @Test
    void aWaitingRequestSeesAtOnceThatAnotherNodeEndedTheInstance() throws Exception {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        CompletableFuture<Api.Answer> waiting = CompletableFuture.supplyAsync(() -> tenant.post(
                "/workflows/" + workflow + "/trigger/sync?wait_seconds=60", Map.of("human_msg", "offline:wait 60000")));
        JsonNode items = Tenant.eventually(
                () -> tenant.get("/workflow_instances").expect(200).json().get("items"), found -> !found.isEmpty());
        WorkflowInstanceId id = WorkflowInstanceId.parse(
                        items.get(0).get("workflow_instance_id").asText())
                .orElseThrow();
        otherEngine
                .apply(tenant.organization(), id, new InstanceEvent.CancelRequested("user:other"), null)
                .join();
        assertThat(waiting.get(20, TimeUnit.SECONDS).text("/status")).isEqualTo("CANCELLED");
    }

    @Test
    void tasksOfALostNodeAreTakenOverDuringAPause() {
        WorkflowInstanceId id = started("offline:wait 1500");
        tenant.post("/workflow_instances/" + id + "/pause", Map.of()).expect(200);
        losesItsNode(id);
        SecondEngine.adopt(otherEngine);
        // It runs again there, and its result is kept although the instance is paused.
        Tenant.eventually(
                () -> tenant.get("/workflow_instances/" + id + "/status").json(),
                now -> now.at("/tasks/0/status").asText().equals("COMPLETED"));
        tenant.post("/workflow_instances/" + id + "/resume", Map.of()).expect(200);
        awaitStatus(id, "COMPLETED");
    }

    @Test
    void anAdoptedInstanceIsCountedBeforeItIsLoaded() {
        WorkflowInstanceId id = started("offline:wait 60000");
        losesItsNode(id);
        SecondEngine.adopt(otherEngine);
        assertThat(otherEngine.running(tenant.organization())).isOne();
        tenant.post("/workflow_instances/" + id + "/cancel", Map.of()).expect(200);
        SecondEngine.adopt(otherEngine);
        Tenant.eventually(() -> otherEngine.running(tenant.organization()), running -> running == 0);
    }

    @Test
    void aRequestBeforeTheRecoveryDoesNotHideTheInstanceFromIt() {
        WorkflowInstanceId id = started("offline:wait 1500");
        losesItsNode(id);
        var refused = otherEngine
                .apply(tenant.organization(), id, new InstanceEvent.RetryRequested("user:other"), null)
                .join();
        assertThat(refused).isInstanceOf(Rejection.class);
        SecondEngine.adopt(otherEngine);
        awaitStatus(id, "COMPLETED");
    }

    @Test
    void tasksRunningDuringAPauseAreStoppedWithTheInstance() {
        WorkflowInstanceId id = started("offline:wait 60000");
        String path = "/workflow_instances/" + id;
        tenant.post(path + "/pause", Map.of()).expect(200);
        tenant.post(path + "/cancel", Map.of()).expect(200);
        Tenant.eventually(
                () -> tenant.get(path + "/attempts").expect(200).json().get("items"),
                attempts -> attempts.size() == 1
                        && attempts.get(0).get("status").asText().equals("CANCELLED"));
    }

    /** An instance whose only task is running on this node. */
    private WorkflowInstanceId started(String message) {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=0", Map.of("human_msg", message))
                .expect(202)
                .text("/workflow_instance_id");
        return WorkflowInstanceId.parse(id).orElseThrow();
    }

    private void awaitStatus(WorkflowInstanceId id, String status) {
        Tenant.eventually(
                () -> tenant.get("/workflow_instances/" + id + "/status")
                        .expect(200)
                        .text("/status"),
                status::equals);
    }

    /** Moves the instance to the other node, like a takeover, so that nothing of it runs here any more. */
    private void losesItsNode(WorkflowInstanceId id) {
        SecondEngine.moveInstance(id, Tenant.bean(NodeLease.class).id(), otherNode.id());
    }

    @Test
    void anUnprocessedConversationIsPickedUp() {
        String conversation = tenant.conversation();
        leaveLying(conversation);
        JsonNode messages = Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages").json(), found -> found.size() == 2);
        assertThat(messages.get(1).get("status").asText()).isEqualTo("DELIVERED");
    }

    @Test
    void aMessageDuringATakeoverDoesNotOvertakeEarlierOnes() {
        String conversation = tenant.conversation();
        leaveLying(conversation);
        tenant.send(conversation, "Second").expect(200);
        JsonNode messages = Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages").json(), found -> found.size() == 4);
        assertThat(messages.get(0).get("content").asText()).contains("Second");
        assertThat(messages.get(1).get("content").asText()).contains("Hello");
    }

    /** The state after a takeover whose commit succeeded while the database connection was lost. */
    private void leaveLying(String conversation) {
        UUID message = MessageId.next().value();
        NodeId node = Tenant.bean(NodeLease.class).id();
        Tenant.bean(Database.class).change(handle -> {
            UUID conversationId = dev.parley.id.ConversationId.parse(conversation)
                    .orElseThrow()
                    .value();
            handle.execute("""
                    INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                        created_by, created_at, updated_at)
                    VALUES (?, ?, ?, 'USER_INPUT', 'TEXT', 'Hello', 'RECEIVED', 'system', now(), now())
                    """, tenant.organization().value(), conversationId, message);
            handle.execute(
                    "INSERT INTO conversation_lease VALUES (?, ?, ?, ?, NULL, 1)",
                    tenant.organization().value(),
                    conversationId,
                    node.value(),
                    message);
        });
    }
}
