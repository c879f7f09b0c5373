package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.run.Engine;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class InstanceTest {
    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aTriggeredWorkflowCompletes() {
        WorkflowId workflow = Workflows.example(tenant, "one-task");
        Api.Answer done = trigger(workflow, Map.of("human_msg", "Hello")).expect(200);
        assertThat(done.text("/status")).isEqualTo("COMPLETED");
        assertThat(done.json().get("output").size()).isEqualTo(1);
        assertThat(done.text("/tasks/0/status")).isEqualTo("COMPLETED");
        assertThat(done.text("/tasks/0/attempts")).isEqualTo("1");
        assertThat(done.text("/workflow_version")).isEqualTo("1");
        assertThat(status(done).json()).isEqualTo(done.json());
        JsonNode logs = tenant.get("/workflow_instances/" + id(done) + "/logs")
                .expect(200)
                .json()
                .get("items");
        assertThat(logs.get(0).get("event").asText()).isEqualTo("Started");
        assertThat(logs.get(1).at("/status_changes/0/to").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void tenTasksFollowEachOther() {
        Api.Answer done = trigger(Workflows.example(tenant, "ten-tasks"), Map.of("human_msg", "Hello"))
                .expect(200);
        assertThat(done.text("/status")).isEqualTo("COMPLETED");
        done.json().get("tasks").forEach(task -> assertThat(task.get("status").asText())
                .isEqualTo("COMPLETED"));
        assertThat(done.json().get("tasks").size()).isEqualTo(10);
    }

    @Test
    void zeroSecondsIsTheAsynchronousStart() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        Api.Answer started = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 300"))
                .expect(202);
        assertThat(started.text("/status")).isEqualTo("RUNNING");
        assertThat(started.text("/current_tasks/0")).isEqualTo("think");
        String location = started.header("Location").replace("/developer/api", "");
        Tenant.eventually(() -> tenant.get(location).expect(200).text("/status"), status -> status.equals("COMPLETED"));
    }

    @Test
    void aPersonCompletesAHumanTask() {
        WorkflowId workflow = Workflows.of(tenant)
                .ai("think")
                .human("check")
                .after("think", "check")
                .publish();
        Api.Answer paused = trigger(workflow, Map.of("human_msg", "Hello")).expect(200);
        assertThat(paused.text("/status")).isEqualTo("PAUSED");
        assertThat(TicketId.parse(paused.text("/tasks/1/ticket_id"))).isPresent();
        assertThat(act(
                        paused,
                        new InstanceEvent.TicketCompleted(new TaskId("check"), 1, Map.of("approved", true), by())))
                .isInstanceOf(Decision.class);
        Api.Answer done = status(paused);
        assertThat(done.text("/status")).isEqualTo("COMPLETED");
        assertThat(done.text("/output/approved")).isEqualTo("true");
        assertThat(statuses(done)).containsExactly("RUNNING", "PAUSED", "RUNNING", "COMPLETED");
        assertThat(act(
                        paused,
                        new InstanceEvent.TicketCompleted(new TaskId("check"), 1, Map.of("approved", false), by())))
                .isInstanceOf(Rejection.class);
    }

    @Test
    void aPersonsAnswerIsAttributedToThatPerson() {
        WorkflowId workflow = Workflows.of(tenant).human("check").publish();
        String conversation = workflowConversation(workflow);
        tenant.send(conversation, "Please check").expect(200);
        String instance = messages(conversation, 2)
                .get(1)
                .at("/metadata/workflow_instance_id")
                .asText();
        Api.Answer paused =
                tenant.get("/workflow_instances/" + instance + "/status").expect(200);
        act(paused, new InstanceEvent.TicketCompleted(new TaskId("check"), 1, Map.of("approved", true), by()));
        Map<String, String> signed = new HashMap<>();
        Map<String, JsonNode> metadata = new HashMap<>();
        messages(conversation, 4).forEach(message -> {
            signed.put(message.get("type").asText(), message.get("created_by").asText());
            metadata.put(message.get("type").asText(), message.get("metadata"));
        });
        assertThat(signed)
                .containsEntry("HUMAN_RESPONSE", by())
                .containsEntry("AGENT_RESPONSE", "agent:" + workflow)
                .containsEntry("SYSTEM", "system");
        assertThat(metadata.get("HUMAN_RESPONSE").at("/values/approved").asBoolean())
                .isTrue();
        assertThat(metadata.get("SYSTEM").at("/notice/code").asText()).isEqualTo("ticket_opened");
        assertThat(metadata.get("SYSTEM").at("/notice/params/title").asText()).isEqualTo("check");
    }

    @Test
    void aWorkflowIdIsWrittenInOneWay() {
        WorkflowId workflow = Workflows.example(tenant, "one-task");
        Api.Answer made = tenant.post(
                        "/conversations",
                        Map.of(
                                "usecase",
                                "WORKFLOW_EXECUTION",
                                "config",
                                Map.of(
                                        "workflow_id",
                                        workflow.value().toString().toUpperCase(Locale.ROOT))))
                .expect(201);
        assertThat(made.text("/config/workflow_id")).isEqualTo(workflow.text());
        assertThat(made.text("/metadata/workflow_id")).isEqualTo(workflow.text());
    }

    @Test
    void anExceptionOpensATicketWhenThereIsARuleAndAPersonSuppliesTheOutputs() {
        WorkflowId workflow = Workflows.of(tenant).rule("Exception").ai("think").publish();
        Api.Answer paused =
                trigger(workflow, Map.of("human_msg", "offline:fail No way.")).expect(200);
        assertThat(paused.text("/status")).isEqualTo("PAUSED");
        assertThat(paused.text("/tasks/0/error/detail")).contains("No way.");
        act(paused, new InstanceEvent.ExceptionSupplied(new TaskId("think"), 1, Map.of("answer", "42"), by()));
        assertThat(status(paused).text("/output/answer")).isEqualTo("42");
    }

    @Test
    void anExceptionFailsTheInstanceWhenThereIsNoRule() {
        Api.Answer failed = trigger(
                        Workflows.of(tenant).ai("think").publish(), Map.of("human_msg", "offline:fail No way."))
                .expect(200);
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/error/task")).isEqualTo("think");
        assertThat(failed.text("/error/detail")).contains("No way.");
        tenant.post("/workflow_instances/" + id(failed) + "/retry", "").expect(409);
    }

    @Test
    void pauseResumeAndCancelFollowTheTableOfTransitions() {
        WorkflowId workflow =
                Workflows.of(tenant).ai("one").ai("two").after("one", "two").publish();
        Api.Answer started = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 200"))
                .expect(202);
        String path = "/workflow_instances/" + id(started);
        assertThat(tenant.post(path + "/pause", "").expect(200).text("/status")).isEqualTo("PAUSED");
        assertThat(tenant.post(path + "/pause", "").expect(409).text("/status")).isEqualTo("PAUSED");
        Tenant.eventually(
                () -> tenant.get(path + "/status").text("/tasks/0/status"), status -> status.equals("COMPLETED"));
        assertThat(tenant.get(path + "/status").text("/tasks/1/status")).isEqualTo("PENDING");
        assertThat(tenant.get(path + "/status").json().get("paused_by_request").asBoolean())
                .isTrue();
        Api.Answer resumed = tenant.post(path + "/resume", "").expect(200);
        assertThat(resumed.text("/status")).isEqualTo("RUNNING");
        assertThat(resumed.json().get("paused_by_request").asBoolean()).isFalse();
        assertThat(tenant.post(path + "/cancel", "").expect(200).text("/status"))
                .isEqualTo("CANCELLED");
        assertThat(tenant.post(path + "/resume", "").expect(409).text("/status"))
                .isEqualTo("CANCELLED");
        assertThat(tenant.get(path + "/status").text("/tasks/1/status")).isEqualTo("CANCELLED");
    }

    @Test
    void aMessageOfAWorkflowConversationStartsAnInstanceWhoseStatusTheMessagesShow() {
        WorkflowId workflow = Workflows.example(tenant, "one-task");
        String conversation = workflowConversation(workflow);
        tenant.send(conversation, "Hello there").expect(200);
        JsonNode messages = messages(conversation, 2);
        assertThat(messages.get(0).get("type").asText()).isEqualTo("AGENT_RESPONSE");
        assertThat(messages.get(0).get("created_by").asText()).isEqualTo("agent:" + workflow);
        for (JsonNode message : messages) {
            assertThat(message.at("/metadata/workflow_instance_status").asText())
                    .isEqualTo("COMPLETED");
            assertThat(message.at("/metadata/workflow_instance_status_updated_at")
                            .asText())
                    .endsWith("Z");
        }
        String instance = messages.get(1).at("/metadata/workflow_instance_id").asText();
        assertThat(tenant.get("/workflow_instances/" + instance + "/status").text("/conversation_id"))
                .isEqualTo(conversation);
    }

    @Test
    void theNextMessageAnswersWhatTheWorkflowAsks() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "book",
                        Map.of(
                                "kind", "AI",
                                "input_parameters",
                                        List.of(
                                                Workflows.input("city", "STRING", "human_input", true),
                                                Workflows.input("nights", "INTEGER", "human_input", true)),
                                "expected_output", List.of(Workflows.output("nights", "INTEGER"))))
                .publish();
        String conversation = workflowConversation(workflow);
        tenant.send(conversation, "A hotel, please").expect(200);
        JsonNode asked = messages(conversation, 2);
        assertThat(asked.get(0).get("type").asText()).isEqualTo("INPUT_REQUEST");
        assertThat(asked.get(0).at("/metadata/workflow_instance_status").asText())
                .isEqualTo("PAUSED");
        JsonNode request = asked.get(0).at("/metadata/input_request");
        assertThat(request.get("task_id").asText()).isEqualTo("book");
        assertThat(request.get("inputs").findValuesAsText("name")).containsExactly("city", "nights");
        assertThat(request.at("/inputs/1/type").asText()).isEqualTo("INTEGER");
        assertThat(request.at("/inputs/1/required").asBoolean()).isTrue();
        assertThat(request.get("task_name").asText()).isEqualTo("book");
        assertThat(request.has("rejection")).isFalse();
        tenant.send(conversation, "{\"city\": \"Graz\", \"nights\": \"two\"}").expect(200);
        JsonNode rejection = messages(conversation, 4).get(0).at("/metadata/input_request/rejection");
        assertThat(rejection).hasSize(1);
        assertThat(rejection.at("/0/path").asText()).isEqualTo("/nights");
        assertThat(rejection.at("/0/code").asText()).isEqualTo("wrong_type");
        assertThat(rejection.at("/0/params/expected").asText()).isEqualTo("INTEGER");
        tenant.send(conversation, "{\"city\": \"Graz\", \"nights\": 3}").expect(200);
        JsonNode done = messages(conversation, 6);
        assertThat(done.get(0).get("type").asText()).isEqualTo("AGENT_RESPONSE");
        assertThat(done.get(0).get("content").asText()).isEqualTo("3");
    }

    @Test
    void messagesWaitWhileAnInstanceRuns() {
        String conversation =
                workflowConversation(Workflows.of(tenant).ai("think").publish());
        tenant.send(conversation, "offline:wait 300").expect(200);
        tenant.send(conversation, "second").expect(200);
        JsonNode messages = messages(conversation, 4);
        List<String> instances = new ArrayList<>();
        messages.forEach(message ->
                instances.add(message.at("/metadata/workflow_instance_id").asText()));
        assertThat(instances.getFirst()).isNotEqualTo(instances.getLast());
        assertThat(messages.get(3).get("content").asText()).isEqualTo("offline:wait 300");
    }

    @Test
    void anIdempotentTriggerStartsOneInstance() {
        WorkflowId workflow = Workflows.example(tenant, "one-task");
        Api.Answer first = idempotent(workflow, "Hello").expect(200);
        Api.Answer second = idempotent(workflow, "Hello").expect(200);
        assertThat(second.json()).isEqualTo(first.json());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        idempotent(workflow, "Something else").expect(422);
    }

    @Test
    void badTriggersAreRefusedWithTheirField() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "count",
                        Map.of(
                                "kind", "AI",
                                "input_parameters", List.of(Workflows.input("n", "INTEGER", "human_input", true)),
                                "expected_output", List.of(Workflows.output("n", "INTEGER"))))
                .publish();
        assertThat(trigger(workflow, Map.of("inputs", Map.of("n", "many")))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/inputs/n");
        assertThat(trigger(workflow, Map.of("inputs", Map.of("m", 1)))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/inputs/m");
        assertThat(trigger(workflow, Map.of("file_urls", List.of("http://10.0.0.1/x")))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/file_urls/0");
        tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=200", Map.of())
                .expect(400);
        assertThat(trigger(workflow, Map.of("inputs", Map.of("n", "3")))
                        .expect(200)
                        .text("/output/n"))
                .isEqualTo("3");
    }

    @Test
    void anotherOrganizationsInstanceIsNotFound() {
        WorkflowId workflow = Workflows.example(tenant, "one-task");
        Api.Answer done = trigger(workflow, Map.of("human_msg", "Hello")).expect(200);
        Tenant other = Tenant.create();
        other.post("/workflows/" + workflow + "/trigger/sync", Map.of()).expect(404);
        other.get("/workflow_instances/" + id(done) + "/status").expect(404);
        other.get("/workflow_instances/" + id(done) + "/logs").expect(404);
        other.post("/workflow_instances/" + id(done) + "/cancel", "").expect(404);
        assertThat(other.get("/workflow_instances").json().get("items").size()).isZero();
        assertThat(tenant.get("/workflow_instances?status=COMPLETED&workflow_id=" + workflow)
                        .json()
                        .get("items")
                        .size())
                .isEqualTo(1);
    }

    private Api.Answer trigger(WorkflowId workflow, Map<String, ?> body) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync", body);
    }

    private Api.Answer idempotent(WorkflowId workflow, String message) {
        return new Api()
                .post("/developer/api/workflows/" + workflow + "/trigger/sync")
                .key(tenant.key())
                .header("Idempotency-Key", "one")
                .json(Map.of("human_msg", message))
                .send();
    }

    private Api.Answer status(Api.Answer instance) {
        return tenant.get("/workflow_instances/" + id(instance) + "/status").expect(200);
    }

    private static String id(Api.Answer instance) {
        return instance.text("/workflow_instance_id");
    }

    private List<String> statuses(Api.Answer instance) {
        List<String> statuses = new ArrayList<>();
        tenant.get("/workflow_instances/" + id(instance) + "/status?include=logs")
                .expect(200)
                .json()
                .get("logs")
                .forEach(entry -> entry.get("status_changes")
                        .forEach(step -> statuses.add(step.get("to").asText())));
        return statuses;
    }

    private TransitionResult act(Api.Answer instance, InstanceEvent action) {
        return Tenant.bean(Engine.class)
                .apply(
                        tenant.organization(),
                        WorkflowInstanceId.parse(id(instance)).orElseThrow(),
                        action,
                        null)
                .join();
    }

    private String by() {
        return "user:" + tenant.owner().text();
    }

    private String workflowConversation(WorkflowId workflow) {
        return tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
    }

    private JsonNode messages(String conversation, int count) {
        return Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages").json(),
                list -> list.size() >= count
                        && !list.get(0)
                                .at("/metadata/workflow_instance_status")
                                .asText()
                                .equals("RUNNING"));
    }
}
