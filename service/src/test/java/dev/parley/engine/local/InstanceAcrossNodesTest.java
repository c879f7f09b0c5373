package dev.parley.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes acknowledged by one node are visible at once on the node that runs the instance. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class InstanceAcrossNodesTest {
    private static final String KIM = "user:kim";

    private Tenant tenant;
    private NodeLease otherNode;
    private LocalEngine there;
    private LocalEngine here;

    @BeforeEach
    void aSecondNode() {
        tenant = Tenant.create();
        otherNode = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(1));
        otherNode.fenced(otherNode.id());
        here = Tenant.bean(LocalEngine.class);
        there = SecondEngine.on(otherNode);
    }

    @AfterEach
    void close() {
        otherNode.close();
    }

    @Test
    void pauseResumeAndCancel() {
        WorkflowInstanceId id = running(Workflows.of(tenant).ai("slow"));
        act(id, new InstanceEvent.PauseRequested(KIM), "PAUSED");
        act(id, new InstanceEvent.ResumeRequested(KIM), "RUNNING");
        act(id, new InstanceEvent.CancelRequested(KIM), "CANCELLED");
    }

    @Test
    void terminate() {
        WorkflowInstanceId id = running(Workflows.of(tenant).ai("slow"));
        act(id, new InstanceEvent.Terminated("Enough.", KIM), "TERMINATED");
    }

    @Test
    void completedTickets() {
        WorkflowInstanceId id = running(beside(Workflows.of(tenant).human("approve"), "approve"));
        act(id, new InstanceEvent.TicketCompleted(new TaskId("approve"), 1, Map.of("approved", true), KIM), "RUNNING");
        assertThat(status(id).at("/tasks/0/status").asText()).isEqualTo("COMPLETED");
        cancel(id);
    }

    @Test
    void rejectedTickets() {
        WorkflowInstanceId id = running(beside(Workflows.of(tenant).human("approve"), "approve"));
        act(id, new InstanceEvent.TicketRejected(new TaskId("approve"), 1, "No.", KIM), "FAILED");
    }

    @Test
    void retries() {
        WorkflowInstanceId id =
                running(beside(Workflows.of(tenant).rule("Exception").task("broken", BROKEN), "broken"));
        JsonNode failed = Tenant.eventually(
                () -> status(id), now -> now.at("/tasks/0/status").asText().equals("WAITING"));
        act(id, new InstanceEvent.RetryRequested(KIM), "RUNNING");
        // The retry may have failed again by the time its status is read.
        assertThat(status(id).at("/tasks/0/attempts").asInt())
                .isGreaterThan(failed.at("/tasks/0/attempts").asInt());
        cancel(id);
    }

    /** A task that fails at once, because the egress rules refuse its address. */
    private static final Map<String, Object> BROKEN = Map.of(
            "kind",
            "App",
            "provider",
            "builtin",
            "tool_name",
            "http.request",
            "tool_id",
            1,
            "input_parameters",
            List.of(Map.of(
                    "name",
                    "url",
                    "type",
                    "STRING",
                    "description",
                    "url",
                    "source",
                    "task_config",
                    "required",
                    true,
                    "value",
                    "http://10.0.0.1/")),
            "expected_output",
            List.of(Workflows.output("body", "STRING")));

    @Test
    void acknowledgedChangesAreReadThroughAnotherNode() {
        WorkflowInstanceId id = running(Workflows.of(tenant).ai("slow"));
        String path = "/workflow_instances/" + id;
        for (String[] action : new String[][] {{"pause", "PAUSED"}, {"resume", "RUNNING"}, {"cancel", "CANCELLED"}}) {
            assertThat(tenant.post(path + "/" + action[0], Map.of()).expect(200).text("/status"))
                    .isEqualTo(action[1]);
            assertThat(there.find(tenant.organization(), id)
                            .orElseThrow()
                            .state()
                            .status())
                    .isEqualTo(InstanceStatus.valueOf(action[1]));
        }
    }

    @Test
    void theStatusOfAnInstanceNeverGoesBackwards() throws Exception {
        WorkflowInstanceId id = running(Workflows.of(tenant).ai("slow"));
        var stop = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> readers = Stream.of(here, there, here, there)
                    .map(engine -> threads.submit(() -> readUntil(stop, engine, id)))
                    .toList();
            try {
                for (int i = 0; i < 60; i++) {
                    LocalEngine engine = i % 3 == 0 ? here : there;
                    InstanceEvent event =
                            i % 2 == 0 ? new InstanceEvent.PauseRequested(KIM) : new InstanceEvent.ResumeRequested(KIM);
                    assertThat(engine.apply(tenant.organization(), id, event, null)
                                    .join())
                            .isInstanceOf(Decision.class);
                }
            } finally {
                stop.set(true);
            }
            int last =
                    here.find(tenant.organization(), id).orElseThrow().state().version();
            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).isEqualTo(last);
            }
        }
        cancel(id);
    }

    @Test
    void aRequestIsNotRefusedForAStatusThatAnotherNodeHasChanged() {
        WorkflowInstanceId id = running(Workflows.of(tenant).ai("slow"));
        for (int i = 0; i < 10; i++) {
            tenant.post("/workflow_instances/" + id + "/pause", Map.of()).expect(200);
            act(id, new InstanceEvent.ResumeRequested(KIM), "RUNNING");
        }
        cancel(id);
    }

    /** The last version read; each must be at least the previous one. */
    private int readUntil(AtomicBoolean stop, LocalEngine engine, WorkflowInstanceId id) {
        int version = 0;
        boolean last;
        do {
            last = stop.get();
            int next =
                    engine.find(tenant.organization(), id).orElseThrow().state().version();
            assertThat(next).isGreaterThanOrEqualTo(version);
            version = next;
        } while (!last);
        return version;
    }

    /** Applies an event on the other node, and reads the result on both. */
    private void act(WorkflowInstanceId id, InstanceEvent event, String expected) {
        assertThat(there.apply(tenant.organization(), id, event, null).join()).isInstanceOf(Decision.class);
        JsonNode now = status(id);
        assertThat(now.at("/status").asText()).as(now.toString()).isEqualTo(expected);
        JsonNode listed = tenant.get("/workflow_instances").expect(200).json().at("/items/0");
        assertThat(listed.at("/status").asText()).isEqualTo(expected);
        JsonNode logs = tenant.get("/workflow_instances/" + id + "/logs")
                .expect(200)
                .json()
                .at("/items");
        assertThat(logs.get(logs.size() - 1).at("/actor").asText()).isEqualTo(KIM);
        assertThat(there.find(tenant.organization(), id).orElseThrow().state().status())
                .isEqualTo(InstanceStatus.valueOf(expected));
    }

    private void cancel(WorkflowInstanceId id) {
        act(id, new InstanceEvent.CancelRequested(KIM), "CANCELLED");
    }

    private JsonNode status(WorkflowInstanceId id) {
        return tenant.get("/workflow_instances/" + id + "/status").expect(200).json();
    }

    /** The task runs concurrently with the slow one. */
    private static Workflows.Builder beside(Workflows.Builder workflow, String task) {
        return workflow.ai("slow").ai("end").after(task, "end").after("slow", "end");
    }

    /** An instance on this node whose task "slow" takes a minute. */
    private WorkflowInstanceId running(Workflows.Builder workflow) {
        WorkflowId published = workflow.publish();
        String id = tenant.post(
                        "/workflows/" + published + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 60000"))
                .expect(202)
                .text("/workflow_instance_id");
        WorkflowInstanceId found = WorkflowInstanceId.parse(id).orElseThrow();
        assertThat(here.find(tenant.organization(), found)
                        .orElseThrow()
                        .state()
                        .task(new TaskId("slow"))
                        .status())
                .isEqualTo(TaskStatus.RUNNING);
        return found;
    }
}
