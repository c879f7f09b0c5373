package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class InstanceRerunTest {
    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aFailedInstanceRunsAgainFromTheTaskThatFailed() {
        Api.Answer failed = trigger(twoSteps(), Map.of("human_msg", "offline:fail No way.", "inputs", Map.of("x", "7")))
                .expect(200);
        assertThat(failed.text("/error/task")).isEqualTo("think");
        Api.Answer again = rerun(failed, Map.of("from_task", "think", "human_msg", "Hello"))
                .expect(200);
        assertThat(again.text("/status")).isEqualTo("COMPLETED");
        assertThat(again.text("/tasks/0/status")).isEqualTo("COMPLETED");
        assertThat(again.text("/tasks/0/attempts")).isEqualTo("0");
        assertThat(again.json().at("/tasks").findValuesAsText("reused")).containsExactly("true", "false");
        assertThat(failed.json().at("/tasks").findValuesAsText("reused")).containsExactly("false", "false");
        assertThat(again.text("/tasks/1/attempts")).isEqualTo("1");
        assertThat(again.text("/rerun_of/workflow_instance_id")).isEqualTo(id(failed));
        assertThat(again.text("/rerun_of/from_task")).isEqualTo("think");
        assertThat(tenant.get("/workflow_instances/" + id(failed) + "/status")
                        .expect(200)
                        .json())
                .isEqualTo(failed.json());
        JsonNode events = tenant.get("/workflow_instances/" + id(again) + "/logs")
                .expect(200)
                .json()
                .at("/items/0/tasks");
        assertThat(events.toString()).contains("\"count\"");
    }

    @Test
    void aReusedTaskHasTheInputsThatItGot() {
        Api.Answer first = trigger(twoSteps(), Map.of("human_msg", "Hello", "inputs", Map.of("x", "7")))
                .expect(200);
        Api.Answer again = rerun(first, Map.of("from_task", "think", "inputs", Map.of("x", "8")))
                .expect(200);
        Api.Answer third = rerun(again, Map.of("from_task", "think", "inputs", Map.of("x", "9")))
                .expect(200);
        for (Api.Answer each : List.of(again, third)) {
            assertThat(each.text("/tasks/0/reused_from")).isEqualTo(id(first));
            assertThat(each.json().at("/tasks/1").has("reused_from")).isFalse();
            assertThat(taskInputs(each, "/inputs/count").at("/values/x").asText())
                    .isEqualTo("7");
            assertThat(taskInputs(each, "/task-inputs")
                            .at("/tasks/count/values/x")
                            .asText())
                    .isEqualTo("7");
        }
        Api.Answer complete = rerun(third, Map.of()).expect(200);
        assertThat(taskInputs(complete, "/inputs/count").at("/values/x").asText())
                .isEqualTo("9");
    }

    private JsonNode taskInputs(Api.Answer instance, String path) {
        return tenant.browser()
                .get(dashboard("/instances/" + id(instance) + path))
                .send()
                .expect(200)
                .json();
    }

    @Test
    void theExampleOfARerunAfterARepairedErrorRuns() {
        Api.Answer failed = trigger(
                        Workflows.example(tenant, "translated-summary"),
                        Map.of("inputs", Map.of("report", "Sales rose.", "language", "offline:fail No such language.")))
                .expect(200);
        assertThat(failed.text("/error/task")).isEqualTo("translate");
        Api.Answer repaired = rerun(
                        failed,
                        Map.of(
                                "from_task",
                                "translate",
                                "inputs",
                                Map.of("report", "Sales rose.", "language", "German")))
                .expect(200);
        assertThat(repaired.text("/status")).isEqualTo("COMPLETED");
        assertThat(repaired.text("/tasks/0/attempts")).isEqualTo("0");
        assertThat(repaired.text("/output/translation")).contains("German");
    }

    @Test
    void anInstanceRunsAgainCompletelyWithItsInputOrAnEditedOne() {
        WorkflowId workflow = twoSteps();
        Api.Answer first = trigger(workflow, Map.of("human_msg", "Hello", "inputs", Map.of("x", "7")))
                .expect(200);
        Api.Answer same = rerun(first, Map.of()).expect(200);
        assertThat(same.json().get("output")).isEqualTo(first.json().get("output"));
        assertThat(same.text("/tasks/0/attempts")).isEqualTo("1");
        assertThat(same.text("/rerun_of/from_task")).isEqualTo("null");
        String edited = id(rerun(same, Map.of("inputs", Map.of("x", "8"))).expect(200));
        JsonNode inputs = tenant.browser()
                .get(dashboard("/instances/" + edited + "/inputs"))
                .send()
                .expect(200)
                .json();
        assertThat(inputs.at("/values/x").asText()).isEqualTo("8");
        assertThat(inputs.at("/human_msg").asText()).isEqualTo("Hello");
    }

    @Test
    void theInputsIncludeLaterAnswersAndTheInputThatTheMessageFills() {
        WorkflowId workflow = twoSteps();
        Api.Answer asked = trigger(workflow, Map.of()).expect(200);
        browser("/tickets/" + asked.text("/tasks/0/ticket_id") + "/complete", Map.of("answer", Map.of("x", "later")))
                .expect(200);
        assertThat(inputs(asked).at("/values")).isEmpty();
        assertThat(inputs(asked).at("/used_values/x").asText()).isEqualTo("later");

        Api.Answer filled = trigger(workflow, Map.of("human_msg", "Hello")).expect(200);
        assertThat(inputs(filled).at("/values")).isEmpty();
        assertThat(inputs(filled).at("/used_values/x").asText()).isEqualTo("Hello");
    }

    private JsonNode inputs(Api.Answer instance) {
        return tenant.browser()
                .get(dashboard("/instances/" + id(instance) + "/inputs"))
                .send()
                .expect(200)
                .json();
    }

    @Test
    void theLatestVersionRunsChangedTasksAgain() {
        WorkflowId workflow = Workflows.of(tenant).ai("first").publish();
        Api.Answer done = trigger(workflow, Map.of("human_msg", "Hello")).expect(200);
        JsonNode draft = tenant.browser()
                .get(dashboard("/workflows/" + workflow))
                .send()
                .expect(200)
                .json()
                .get("document");
        tenant.browser()
                .put(dashboard("/workflows/" + workflow))
                .json(withSecondTask(draft))
                .send()
                .expect(200);
        browser("/workflows/" + workflow + "/publish", Map.of()).expect(200);

        rerun(done, Map.of("from_task", "second")).expect(400);
        Api.Answer latest =
                rerun(done, Map.of("from_task", "second", "version", "latest")).expect(200);
        assertThat(latest.text("/workflow_version")).isEqualTo("2");
        assertThat(latest.text("/tasks/0/attempts")).isEqualTo("0");
        assertThat(latest.text("/tasks/1/attempts")).isEqualTo("1");
        assertThat(rerun(done, Map.of()).expect(200).text("/workflow_version")).isEqualTo("1");
    }

    @Test
    void theDashboardRunsATestOfADraftAgain() {
        WorkflowId workflow = Workflows.of(tenant).human("ask").draft();
        Api.Answer first =
                browser("/workflows/" + workflow + "/test-run", Map.of()).expect(200);
        Api.Answer again = browser("/instances/" + id(first) + "/rerun?wait_seconds=0", Map.of());
        assertThat(again.text("/workflow_version")).isEqualTo("0");
        assertThat(again.text("/rerun_of/workflow_instance_id")).isEqualTo(id(first));
        browser("/instances/" + id(first) + "/rerun", Map.of("version", "latest"))
                .expect(409);
    }

    @Test
    void aRepeatedRequestWithTheSameKeyStartsOneInstance() {
        Api.Answer first = trigger(Workflows.of(tenant).ai("think").publish(), Map.of("human_msg", "Hello"))
                .expect(200);
        String path = "/developer/api/workflow_instances/" + id(first) + "/rerun";
        Api.Answer one = keyed(path).expect(200);
        assertThat(id(keyed(path).expect(200))).isEqualTo(id(one));
    }

    @Test
    void badRequestsNameTheirField() {
        Api.Answer first = trigger(Workflows.of(tenant).ai("think").publish(), Map.of("human_msg", "Hello"))
                .expect(200);
        assertThat(rerun(first, Map.of("from_task", "nowhere")).expect(400).text("/errors/0/path"))
                .isEqualTo("/from_task");
        assertThat(rerun(first, Map.of("version", "3")).expect(400).text("/errors/0/path"))
                .isEqualTo("/version");
        assertThat(rerun(first, Map.of("inputs", Map.of("y", 1))).expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/y");
        Tenant stranger = Tenant.create();
        stranger.post("/workflow_instances/" + id(first) + "/rerun", Map.of()).expect(404);
    }

    @Test
    void listsNameTheInstanceThatARerunStartedFrom() {
        Api.Answer first = trigger(Workflows.of(tenant).ai("think").publish(), Map.of("human_msg", "Hello"))
                .expect(200);
        rerun(first, Map.of()).expect(200);
        rerun(first, Map.of("from_task", "think")).expect(200);
        JsonNode found = list("");
        assertThat(found.at("/0/rerun_of/workflow_instance_id").asText()).isEqualTo(id(first));
        assertThat(found.at("/0/rerun_of/from_task").asText()).isEqualTo("think");
        assertThat(found.at("/1/rerun_of/workflow_instance_id").asText()).isEqualTo(id(first));
        assertThat(found.at("/1/rerun_of/from_task").isNull()).isTrue();
        assertThat(found.at("/2/rerun_of").isNull()).isTrue();
    }

    @Test
    void listsShowAndSearchTheInput() {
        WorkflowId workflow = twoSteps();
        String invoice =
                id(trigger(workflow, Map.of("human_msg", "Invoice 4711\n is 100% late", "inputs", Map.of("x", "7")))
                        .expect(200));
        trigger(workflow, Map.of("human_msg", "Something else", "inputs", Map.of("x", "8")))
                .expect(200);
        JsonNode found = list("?search=invoice%204711");
        assertThat(found).hasSize(1);
        assertThat(found.at("/0/input_preview").asText()).isEqualTo("Invoice 4711 is 100% late · x: 7");
        assertThat(found.at("/0/input_tokens").asLong()).isPositive();
        assertThat(list("?search=100%25")).hasSize(1);
        assertThat(list("?search=_")).isEmpty();
        assertThat(list("?search=" + invoice)).hasSize(1);
        assertThat(list("?search=" + workflow)).isEmpty();
        assertThat(list("?search=" + invoice.substring(0, 20))).hasSize(1);
        assertThat(list("?search=" + invoice.substring(0, 20) + "&created_until=2020-01-01T00:00:00Z"))
                .isEmpty();
        assertThat(list("?created_until=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(count("")).isEqualTo("{\"count\":2,\"or_more\":false}");
        assertThat(count("?search=else")).isEqualTo("{\"count\":1,\"or_more\":false}");
        assertThat(tenant.get("/workflow_instances?search=" + "x".repeat(201))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/search");
    }

    @Test
    void severalStatusesAreListedAndSeveralInstancesCancelled() {
        WorkflowId asking = Workflows.of(tenant).human("ask").publish();
        WorkflowId failing = Workflows.of(tenant).ai("think").publish();
        String paused = id(trigger(asking, Map.of()).expect(200));
        String failed =
                id(trigger(failing, Map.of("human_msg", "offline:fail no")).expect(200));
        String done = id(trigger(failing, Map.of("human_msg", "Hello")).expect(200));
        Tenant stranger = Tenant.create();
        String foreign = id(stranger.post(
                        "/workflows/" + Workflows.of(stranger).human("ask").publish() + "/trigger/sync", Map.of())
                .expect(200));

        assertThat(list("?status=PAUSED,FAILED").findValuesAsText("workflow_instance_id"))
                .containsExactly(failed, paused);
        JsonNode ended = list("?status=COMPLETED,FAILED");
        assertThat(ended.findValuesAsText("workflow_instance_id")).containsExactly(done, failed);
        assertThat(ended.at("/0/error_preview").isNull()).isTrue();
        JsonNode error = tenant.get("/workflow_instances/" + failed + "/status")
                .expect(200)
                .json()
                .get("error");
        assertThat(ended.at("/1/error_preview").asText())
                .isEqualTo(
                        error.get("error").asText() + ": " + error.get("detail").asText());
        assertThat(list("?status=COMPLETED,PAUSED&limit=1").findValuesAsText("workflow_instance_id"))
                .containsExactly(done);
        assertThat(list("?status=COMPLETED,PAUSED&limit=1&after=" + done).findValuesAsText("workflow_instance_id"))
                .containsExactly(paused);
        assertThat(count("?status=PAUSED,FAILED")).startsWith("{\"count\":2,");
        assertThat(tenant.get("/workflow_instances?status=PAUSED,GONE")
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/status");

        JsonNode results = browser(
                        "/instances/cancel", Map.of("workflow_instance_ids", List.of(paused, done, foreign, paused)))
                .expect(200)
                .json()
                .get("results");
        assertThat(results.findValuesAsText("workflow_instance_id")).containsExactly(paused, done, foreign);
        assertThat(results.findValuesAsText("succeeded")).containsExactly("true", "false", "false");
        assertThat(results.findValuesAsText("error")).containsExactly("null", "Conflict", "Not found");
        assertThat(list("?status=CANCELLED").findValuesAsText("workflow_instance_id"))
                .containsExactly(paused);
        JsonNode entries = tenant.browser()
                .get(dashboard("/audit-log"))
                .send()
                .expect(200)
                .json()
                .get("items");
        assertThat(entries.valueStream()
                        .filter(entry -> entry.at("/action").asText().equals("instances.cancel"))
                        .map(entry -> entry.at("/target").asText() + " "
                                + entry.at("/changes/0/before").asText() + " "
                                + entry.at("/changes/0/after").asText()))
                .containsExactly(paused + " PAUSED CANCELLED");
        assertThat(browser("/instances/cancel", Map.of()).expect(400).text("/errors/0/path"))
                .isEqualTo("/workflow_instance_ids");
    }

    private WorkflowId twoSteps() {
        return Workflows.of(tenant)
                .task(
                        "count",
                        Map.of(
                                "kind", "AI",
                                "input_parameters", List.of(Workflows.input("x", "STRING", "human_input", true)),
                                "expected_output", List.of(Workflows.output("counted", "STRING"))))
                .ai("think")
                .after("count", "think")
                .publish();
    }

    private static JsonNode withSecondTask(JsonNode document) {
        ObjectNode next = document.deepCopy();
        next.withArray("tasks")
                .addPOJO(Map.of(
                        "id", "second",
                        "name", "Second",
                        "instructions", "Go on.",
                        "kind", "AI",
                        "input_parameters", List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                        "expected_output", List.of(Workflows.output("more", "STRING"))));
        next.withArray("dependencies").addPOJO(Map.of("from", "first", "to", "second"));
        return next;
    }

    private Api.Answer trigger(WorkflowId workflow, Map<String, Object> body) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync", body);
    }

    private Api.Answer rerun(Api.Answer origin, Map<String, Object> body) {
        return tenant.post("/workflow_instances/" + id(origin) + "/rerun", body);
    }

    private Api.Answer keyed(String path) {
        return new Api()
                .post(path)
                .key(tenant.key())
                .header("Idempotency-Key", "again")
                .json(Map.of())
                .send();
    }

    private Api.Answer browser(String path, Map<String, Object> body) {
        return tenant.browser().post(dashboard(path)).json(body).send();
    }

    private String dashboard(String path) {
        return "/dashboard/api/organizations/" + tenant.organization() + path;
    }

    private JsonNode list(String query) {
        return tenant.get("/workflow_instances" + query).expect(200).json().get("items");
    }

    private String count(String query) {
        return tenant.browser()
                .get(dashboard("/instances/count" + query))
                .send()
                .expect(200)
                .json()
                .toString();
    }

    private static String id(Api.Answer instance) {
        return instance.text("/workflow_instance_id");
    }
}
