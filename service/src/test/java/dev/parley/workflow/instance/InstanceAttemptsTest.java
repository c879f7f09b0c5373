package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.egress.ScriptedServer;
import dev.parley.engine.local.LocalEngine;
import dev.parley.engine.local.SecondEngine;
import dev.parley.id.NodeId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.settings.Settings;
import dev.parley.workflow.attempt.AttemptStatements;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.DeletedOrganizationHistoryJob;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The records of attempts: prompts, answers, tool calls and tokens, for every kind of end. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class InstanceAttemptsTest {
    private Tenant tenant;

    @BeforeEach
    void makeTenant() {
        tenant = Tenant.create();
    }

    private Api.Answer trigger(WorkflowId workflow, Map<String, Object> body) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=20", body);
    }

    private JsonNode attempts(String instance) {
        return tenant.get("/workflow_instances/" + instance + "/attempts")
                .expect(200)
                .json()
                .path("items");
    }

    private JsonNode attemptsOnce(String instance, int count, String lastStatus) {
        return Tenant.eventually(
                () -> attempts(instance),
                found -> found.size() == count
                        && found.get(count - 1).path("status").asText().equals(lastStatus));
    }

    private JsonNode usage() {
        return tenant.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/overview")
                .send()
                .expect(200)
                .json()
                .at("/usage/total");
    }

    private static List<String> texts(JsonNode list, String field) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(one -> one.path(field).asText())
                .toList();
    }

    @Test
    void promptAnswerAndTokensOfAnAttemptAreReadable() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        JsonNode instance = trigger(
                        workflow,
                        Map.of(
                                "human_msg",
                                "What is a parley? My key is sk-abcdefghijklmnop1234, or BASIC c2VjcmV0OnNlY3JldA=="))
                .expect(200)
                .json();
        String id = instance.path("workflow_instance_id").asText();
        JsonNode attempts = attempts(id);
        assertThat(attempts.size()).isEqualTo(1);
        JsonNode attempt = attempts.get(0);
        assertThat(attempt.path("task").asText()).isEqualTo("think");
        assertThat(attempt.path("attempt").asInt()).isEqualTo(1);
        assertThat(attempt.path("status").asText()).isEqualTo("COMPLETED");
        assertThat(attempt.path("model").asText()).isEqualTo("default");
        assertThat(attempt.path("reported_model").asText()).isEqualTo("offline");
        assertThat(texts(attempt.path("messages"), "role")).containsExactly("system", "user");
        assertThat(attempt.at("/messages/0/content").asText()).isEqualTo("Do think.");
        assertThat(attempt.at("/messages/1/content").asText())
                .contains("What is a parley?", "[hidden]")
                .doesNotContain("abcdefghijklmnop");
        assertThat(attempt.path("answer").asText()).contains("\"answer\"");
        assertThat(attempt.path("input_tokens").asLong()).isPositive();
        assertThat(Instant.parse(attempt.path("finished_at").asText()))
                .isAfterOrEqualTo(Instant.parse(attempt.path("started_at").asText()));
        assertThat(tenant.browser()
                        .get("/dashboard/api/organizations/" + tenant.organization() + "/instances/" + id
                                + "/attempts?task=think&limit=1")
                        .send()
                        .expect(200)
                        .json()
                        .path("items"))
                .isEqualTo(attempts);
    }

    @Test
    void anAttemptWhoseAnswersDoNotFitIsRecordedWithItsUsage() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "write",
                        Map.of(
                                "kind", "AI",
                                "input_parameters",
                                        List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                                "expected_output", List.of(Workflows.output("human_msg", "XML"))))
                .publish();
        JsonNode instance =
                trigger(workflow, Map.of("human_msg", "no xml")).expect(200).json();
        assertThat(instance.path("status").asText()).isEqualTo("FAILED");
        String id = instance.path("workflow_instance_id").asText();
        JsonNode attempt = attempts(id).get(0);
        assertThat(attempt.path("status").asText()).isEqualTo("FAILED");
        assertThat(attempt.at("/error/error").asText()).isEqualTo("Invalid model answer");
        assertThat(texts(attempt.path("messages"), "role"))
                .as("two answers that did not fit, and what was said of them")
                .containsExactly("system", "user", "assistant", "user", "assistant", "user");
        long tokens = attempt.path("input_tokens").asLong();
        assertThat(tokens).isPositive();
        JsonNode logs = tenant.get("/workflow_instances/" + id + "/logs").json().path("items");
        assertThat(logs.get(logs.size() - 1).at("/tasks/0/input_tokens").asLong())
                .as("the instance knows of it")
                .isEqualTo(tokens);
        var _ = Tenant.eventually(
                this::usage, found -> found.path("input_tokens").asLong() == tokens);
    }

    @Test
    void everyRetryIsAnAttempt() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:unavailable"))
                .expect(202)
                .text("/workflow_instance_id");
        JsonNode attempts = Tenant.eventually(() -> attempts(id), found -> found.size() >= 2);
        assertThat(attempts.get(0).at("/error/error").asText()).isEqualTo("Model error");
        assertThat(attempts.get(1).path("attempt").asInt()).isEqualTo(2);
        tenant.post("/workflow_instances/" + id + "/cancel", Map.of()).expect(200);
        JsonNode second = tenant.get("/workflow_instances/" + id + "/attempts?limit=1&after="
                        + attempts.get(0).path("id").asText())
                .expect(200)
                .json();
        assertThat(second.at("/items/0/id").asText())
                .isEqualTo(attempts.get(1).path("id").asText());
    }

    @Test
    void anAttemptThatIsStoppedIsKept() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 60000"))
                .expect(202)
                .text("/workflow_instance_id");
        tenant.post("/workflow_instances/" + id + "/cancel", Map.of()).expect(200);
        JsonNode attempts = attemptsOnce(id, 1, "CANCELLED");
        assertThat(attempts.get(0).at("/messages/1/content").asText()).contains("offline:wait");
    }

    @Test
    void theCallOfAnAppTaskIsKeptWithoutItsCredentials() throws IOException {
        try (var server =
                new ScriptedServer(ScriptedServer.answering(200, "application/json", "{\"rate\":\"1.25\"}"))) {
            WorkflowId workflow = Workflows.of(tenant)
                    .task(
                            "call",
                            Map.of(
                                    "kind",
                                    "App",
                                    "provider",
                                    "builtin",
                                    "tool_name",
                                    "http.request",
                                    "tool_id",
                                    1,
                                    "input_parameters",
                                    List.of(Workflows.input("url", "STRING", "human_input", true)),
                                    "expected_output",
                                    List.of(Workflows.output("rate", "FLOAT"))))
                    .publish();
            String id = trigger(workflow, Map.of("inputs", Map.of("url", server.url("/rates"))))
                    .expect(200)
                    .text("/workflow_instance_id");
            JsonNode call = attempts(id).get(0).at("/tool_calls/0");
            assertThat(call.path("tool").asText()).isEqualTo("http.request");
            assertThat(call.path("tool_id").asInt()).isEqualTo(1);
            assertThat(call.path("arguments").asText()).contains("/rates");
            assertThat(call.path("result").asText()).contains("1.25");
            assertThat(call.path("failed").asBoolean()).isFalse();
        }
    }

    @Test
    void anAttemptThatWasLostWithItsNodeIsKeptWithWhatItUsed() {
        Assumptions.assumeTrue(
                Tenant.bean(Settings.Engines.class).kind() == Settings.EngineKind.LOCAL,
                "only the local engine's nodes own instances");
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String text = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 1000"))
                .expect(202)
                .text("/workflow_instance_id");
        WorkflowInstanceId id = WorkflowInstanceId.parse(text).orElseThrow();
        NodeId here = Tenant.bean(NodeLease.class).id();
        var key = new TaskAttempt.AttemptKey(
                tenant.organization(), id, TaskAttemptId.next(), "think", null, 1, Instant.now());
        SecondEngine.store(
                here,
                new TaskAttempt(
                        key,
                        AttemptStatus.RUNNING,
                        null,
                        ModelUsage.ofReply(700, 70, 7),
                        new TaskAttempt.RecordedContent("m", "m-1", 0, 0, null, List.of(), "so far", List.of(), 0),
                        true));
        try (var otherNode = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(1))) {
            otherNode.fenced(otherNode.id());
            takeOver(id, otherNode);
            JsonNode instance = Tenant.eventually(
                    () -> tenant.get("/workflow_instances/" + text + "/status").json(),
                    found -> found.path("status").asText().equals("COMPLETED"));
            assertThat(instance.path("tasks").get(0).path("attempts").asInt()).isEqualTo(1);
        }
        JsonNode attempts = Tenant.eventually(
                () -> attempts(text),
                found -> found.size() == 2 && !texts(found, "status").contains("RUNNING"));
        JsonNode lost = StreamSupport.stream(attempts.spliterator(), false)
                .filter(one -> one.path("status").asText().equals("LOST"))
                .findFirst()
                .orElseThrow();
        assertThat(lost.path("id").asText()).isEqualTo(key.id().text());
        assertThat(lost.path("input_tokens").asLong()).isEqualTo(700);
        assertThat(lost.path("answer").asText()).isEqualTo("so far");
        assertThat(texts(attempts, "status")).containsExactly("LOST", "COMPLETED");
        JsonNode logs =
                tenant.get("/workflow_instances/" + text + "/logs").json().path("items");
        assertThat(logs.get(logs.size() - 1).at("/tasks/0/input_tokens").asLong())
                .as("the task's sum")
                .isGreaterThan(700);
    }

    /** Simulates the death of this service's node. */
    private static void takeOver(WorkflowInstanceId id, NodeLease by) {
        LocalEngine engine = SecondEngine.on(by);
        SecondEngine.moveInstance(id, Tenant.bean(NodeLease.class).id(), by.id());
        SecondEngine.adopt(engine);
    }

    @Test
    void foreignAttemptsAreNotFoundAndInvalidQueriesReported() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = trigger(workflow, Map.of("human_msg", "Hello")).expect(200).text("/workflow_instance_id");
        Tenant other = Tenant.create();
        other.get("/workflow_instances/" + id + "/attempts").expect(404);
        other.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/instances/" + id + "/attempts")
                .send()
                .expect(404);
        tenant.get("/workflow_instances/" + id + "/attempts?limit=51").expect(400);
        tenant.get("/workflow_instances/" + id + "/attempts?after=x").expect(400);
        tenant.get("/workflow_instances/" + id + "/attempts?task=nothing").expect(400);
    }

    @Test
    void longTextsAreCutAndSayByHowMuch() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = trigger(workflow, Map.of("human_msg", "word ".repeat(20_000)))
                .expect(200)
                .text("/workflow_instance_id");
        String prompt = attempts(id).get(0).at("/messages/1/content").asText();
        assertThat(prompt).hasSizeLessThan(13_000).endsWith("more characters were not kept.]");
    }

    @Test
    void attemptsOfADeletedOrganizationAreDeleted() {
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = trigger(workflow, Map.of("human_msg", "Hello")).expect(200).text("/workflow_instance_id");
        var store = Tenant.bean(Database.class).statements(AttemptStatements.class);
        WorkflowInstanceId instance = WorkflowInstanceId.parse(id).orElseThrow();
        assertThat(store.list(tenant.organization(), instance, null, null, 10)).hasSize(1);
        tenant.browser()
                .delete("/dashboard/api/organizations/" + tenant.organization())
                .send()
                .expect(204);
        Tenant.bean(DeletedOrganizationHistoryJob.class).delete();
        assertThat(store.list(tenant.organization(), instance, null, null, 10)).isEmpty();
    }
}
