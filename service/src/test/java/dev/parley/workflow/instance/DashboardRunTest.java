package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user's journey through the dashboard's API: build, publish, test, run, answer. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class DashboardRunTest {
    @Inject
    TestOrganizations organizations;

    private TestOrganizations.Tenant tenant;
    private Api browser;
    private String key;

    @BeforeEach
    void aTenant() {
        tenant = organizations.create();
        browser = tenant.owner().browser();
        key = organizations.key(tenant.id());
    }

    @Test
    void anAgentIsBuiltPublishedAndItsTicketAnswered() {
        String workflow = workflow();
        post("/workflows/" + workflow + "/publish", Map.of()).expect(200);
        Api.Answer paused = new Api()
                .post("/developer/api/workflows/" + workflow + "/trigger/sync")
                .key(key)
                .json(Map.of("human_msg", "Hello"))
                .send()
                .expect(200);
        assertThat(paused.text("/status")).isEqualTo("PAUSED");
        String ticket = paused.text("/tasks/1/ticket_id");

        assertThat(get("/tickets?assignee=me&status=OPEN").expect(200).text("/items/0/id"))
                .isEqualTo(ticket);
        assertThat(post("/tickets/" + ticket + "/claim", Map.of()).expect(200).text("/status"))
                .isEqualTo("IN_PROGRESS");
        assertThat(post("/tickets/" + ticket + "/complete", Map.of("answer", Map.of("approved", "perhaps")))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/answer/approved");
        assertThat(post("/tickets/" + ticket + "/complete", Map.of("answer", Map.of("approved", "true")))
                        .expect(200)
                        .text("/status"))
                .isEqualTo("RESOLVED");
        post("/tickets/" + ticket + "/complete", Map.of("answer", Map.of("approved", false)))
                .expect(409);

        String instance = paused.text("/workflow_instance_id");
        Api.Answer done = get("/instances/" + instance).expect(200);
        assertThat(done.text("/status")).isEqualTo("COMPLETED");
        assertThat(done.text("/output/approved")).isEqualTo("true");
        assertThat(get("/instances?status=COMPLETED").expect(200).text("/items/0/workflow_instance_id"))
                .isEqualTo(instance);
        assertThat(get("/instances/" + instance + "/logs").expect(200).text("/items/0/event"))
                .isEqualTo("Started");
        post("/instances/" + instance + "/cancel", Map.of()).expect(409);
    }

    @Test
    void aRejectedTicketFailsItsInstance() {
        String workflow = workflow();
        Api.Answer paused = post("/workflows/" + workflow + "/test-run", Map.of("human_msg", "Hello"))
                .expect(200);
        assertThat(paused.text("/workflow_version")).isEqualTo("0");
        String ticket = paused.text("/tasks/1/ticket_id");
        assertThat(post("/tickets/" + ticket + "/reject", Map.of("reason", "Too dear."))
                        .expect(200)
                        .text("/status"))
                .isEqualTo("REJECTED");
        Api.Answer failed =
                get("/instances/" + paused.text("/workflow_instance_id")).expect(200);
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/error/detail")).contains("Too dear.");
    }

    @Test
    void ticketsOfATestRunAreMarkedAndAlsoAssignedToTheTester() {
        TestOrganizations.TestUser tester = tenant.admin();
        String id = tester.browser()
                .post(tenant.path() + "/workflows/" + workflow() + "/test-run")
                .json(Map.of("human_msg", "Hello"))
                .send()
                .expect(200)
                .text("/tasks/1/ticket_id");

        Api.Answer ticket = get("/tickets/" + id).expect(200);
        assertThat(ticket.text("/test_run")).isEqualTo("true");
        assertThat(ticket.text("/assignee/assignee_id"))
                .isEqualTo(tenant.owner().id().text());
        assertThat(ticket.text("/assignments/1/assignee_id"))
                .isEqualTo(tester.id().text());
        assertThat(ticket.json().at("/assignments")).hasSize(2);
        assertThat(get("/tickets?test_run=true").expect(200).text("/items/0/id"))
                .isEqualTo(id);
        assertThat(get("/tickets?test_run=false").expect(200).json().at("/items"))
                .isEmpty();
    }

    @Test
    void inputsOfARunAndItsTasksAreReadable() {
        String workflow = workflow();
        Api.Answer paused = post("/workflows/" + workflow + "/test-run", Map.of("human_msg", "Hello"))
                .expect(200);
        String inputs = "/instances/" + paused.text("/workflow_instance_id") + "/inputs";

        assertThat(get(inputs).expect(200).body())
                .isEqualTo("{\"human_msg\":\"Hello\",\"file_urls\":[],\"values\":{},\"used_values\":{}}");
        Api.Answer first = get(inputs + "/" + paused.text("/tasks/0/id")).expect(200);
        assertThat(first.json().at("/values").toString()).contains("Hello");
        assertThat(first.json().at("/unkept")).isEmpty();
        get(inputs + "/nothing").expect(404);
        get(inputs + "/No%20id").expect(404);
    }

    @Test
    void aTestRunKeepsTheDocumentThatItRuns() {
        String workflow = workflow();
        String draft = "/workflows/" + workflow;
        Api.Answer before = get(draft).expect(200);
        String run = post(draft + "/test-run", Map.of("human_msg", "Hello"))
                .expect(200)
                .text("/workflow_instance_id");

        String changed = before.json().at("/document").toString().replace("\"Think\"", "\"Ponder\"");
        browser.put(tenant.path() + draft)
                .body("application/json", changed)
                .send()
                .expect(200);

        Api.Answer kept = get("/instances/" + run + "/definition").expect(200);
        assertThat(kept.text("/workflow_version")).isEqualTo("0");
        assertThat(kept.json().at("/document")).isEqualTo(before.json().at("/document"));
        post(draft + "/publish", Map.of()).expect(200);
        String published = new Api()
                .post("/developer/api/workflows/" + workflow + "/trigger/sync")
                .key(key)
                .json(Map.of("human_msg", "Hello"))
                .send()
                .expect(200)
                .text("/workflow_instance_id");
        Api.Answer version = get("/instances/" + published + "/definition").expect(200);
        assertThat(version.text("/workflow_version")).isEqualTo("1");
        assertThat(version.text("/document/tasks/0/name")).isEqualTo("Ponder");
    }

    @Test
    void oneTaskOfADraftRunsAloneWithTheGivenInputs() {
        String workflow = workflow();
        String path = "/workflows/" + workflow + "/test-run";

        Api.Answer first =
                post(path, Map.of("task_id", "think", "human_msg", "Hello")).expect(200);
        assertThat(first.text("/status")).isEqualTo("COMPLETED");
        assertThat(first.json().at("/tasks")).hasSize(1);
        assertThat(first.text("/output/thought")).isNotEmpty();
        String run = first.text("/workflow_instance_id");
        assertThat(get("/instances/" + run + "/attempts").expect(200).text("/items/0/task"))
                .isEqualTo("think");
        assertThat(get("/instances/" + run + "/inputs/think").expect(200).text("/values/human_msg"))
                .isEqualTo("Hello");

        Api.Answer second = post(path, Map.of("task_id", "check", "inputs", Map.of("thought", "Fine")))
                .expect(200);
        assertThat(second.text("/status")).isEqualTo("PAUSED");
        assertThat(get("/tickets/" + second.text("/tasks/0/ticket_id"))
                        .expect(200)
                        .body())
                .contains("Fine");

        assertThat(post(path, Map.of("task_id", "check")).expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/thought");
        assertThat(post(path, Map.of("task_id", "check", "inputs", Map.of("thought", 5, "other", 1)))
                        .expect(400)
                        .json()
                        .at("/errors"))
                .hasSize(2);
        assertThat(post(path, Map.of("task_id", "nothing")).expect(400).text("/errors/0/path"))
                .isEqualTo("/task_id");
    }

    @Test
    void aTaskRunsAloneThoughAnotherTaskIsIncomplete() {
        String draft = "/workflows/" + workflow();
        String broken = get(draft)
                .expect(200)
                .json()
                .at("/document")
                .toString()
                .replace("\"instructions\":\"Think.\"", "\"instructions\":\"\"");
        browser.put(tenant.path() + draft + "?allow_invalid=true")
                .body("application/json", broken)
                .send()
                .expect(200);

        post(draft + "/test-run", Map.of("task_id", "check", "inputs", Map.of("thought", "Fine")))
                .expect(200);
        assertThat(post(draft + "/test-run", Map.of("task_id", "think", "human_msg", "Hello"))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/tasks/0/instructions");
    }

    @Test
    void aDraftWithFaultsDoesNotRun() {
        String workflow = post("/workflows?allow_invalid=true", Map.of("name", "Unfinished", "tasks", List.of()))
                .expect(201)
                .text("/id");
        post("/workflows/" + workflow + "/test-run", Map.of()).expect(400);
    }

    @Test
    void anArchivedWorkflowDoesNotRun() {
        String workflow = workflow();
        browser.delete(tenant.path() + "/workflows/" + workflow).send().expect(204);
        assertThat(post("/workflows/" + workflow + "/test-run", Map.of("human_msg", "Hello"))
                        .expect(409)
                        .text("/detail"))
                .isEqualTo("The workflow is archived.");
        assertThat(get("/instances").expect(200).json().at("/items")).isEmpty();
    }

    @Test
    void aStartWithoutWaitingReturnsTheRunsAddress() {
        Api.Answer running = post(
                        "/workflows/" + workflow() + "/test-run?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 60000"))
                .expect(202);
        Api.Answer seen = browser.get(running.header("Location")).send().expect(200);
        assertThat(seen.text("/workflow_instance_id")).isEqualTo(running.text("/workflow_instance_id"));
        post("/instances/" + running.text("/workflow_instance_id") + "/cancel", Map.of())
                .expect(200);
    }

    @Test
    void aPersonTriesAConversationOut() {
        String conversation = post("/conversations", Map.of()).expect(201).text("/id");
        Api.Answer sent = post("/conversations/" + conversation + "/messages", Map.of("content", "Hello"))
                .expect(200);
        assertThat(sent.text("/created_by"))
                .isEqualTo("user:" + tenant.owner().id().text());
        Tenant.eventually(
                () -> get("/conversations/" + conversation + "/messages")
                        .expect(200)
                        .json()
                        .get("items")
                        .size(),
                size -> size == 2);
        assertThat(get("/conversations").expect(200).text("/items/0/id")).isEqualTo(conversation);
        post("/conversations/" + conversation + "/messages", Map.of("content", ""))
                .expect(400);
    }

    @Test
    void strangersFindNothing() {
        String workflow = workflow();
        String conversation = post("/conversations", Map.of()).expect(201).text("/id");
        String instance = post("/workflows/" + workflow + "/test-run", Map.of("human_msg", "Hello"))
                .expect(200)
                .text("/workflow_instance_id");
        TestOrganizations.Tenant other = organizations.create();
        Api stranger = other.owner().browser();
        for (String base : List.of(tenant.path(), other.path())) {
            stranger.get(base + "/conversations/" + conversation).send().expect(404);
            stranger.get(base + "/conversations/" + conversation + "/messages")
                    .send()
                    .expect(404);
            stranger.get(base + "/instances/" + instance).send().expect(404);
            stranger.get(base + "/instances/" + instance + "/logs").send().expect(404);
            stranger.get(base + "/instances/" + instance + "/inputs").send().expect(404);
            stranger.post(base + "/instances/" + instance + "/cancel")
                    .json(Map.of())
                    .send()
                    .expect(404);
            stranger.post(base + "/workflows/" + workflow + "/test-run")
                    .json(Map.of())
                    .send()
                    .expect(404);
        }
    }

    private String workflow() {
        String owner = tenant.owner().id().text();
        Map<String, Object> document = Map.of(
                "name", "Check",
                "description", "",
                "assignment_rules",
                        List.of(Map.of("rule_type", "Human Feedback", "assignment_type", "User", "assignee_id", owner)),
                "tasks",
                        List.of(
                                Map.of(
                                        "id", "think",
                                        "kind", "AI",
                                        "name", "Think",
                                        "instructions", "Think.",
                                        "input_parameters",
                                                List.of(Workflows.input(
                                                        "human_msg", "STRING", "system_generated", true)),
                                        "expected_output", List.of(Workflows.output("thought", "STRING"))),
                                Map.of(
                                        "id", "check",
                                        "kind", "Human",
                                        "name", "Check",
                                        "instructions", "Check it.",
                                        "input_parameters",
                                                List.of(Workflows.input("thought", "STRING", "system_generated", true)),
                                        "expected_output", List.of(Workflows.output("approved", "BOOLEAN")))),
                "connections",
                        List.of(Map.of(
                                "from", Map.of("task", "think", "output", "thought"),
                                "to", Map.of("task", "check", "input", "thought"))));
        return post("/workflows", document).expect(201).text("/id");
    }

    private Api.Answer get(String path) {
        return browser.get(tenant.path() + path).send();
    }

    private Api.Answer post(String path, Object body) {
        return browser.post(tenant.path() + path).json(body).send();
    }
}
