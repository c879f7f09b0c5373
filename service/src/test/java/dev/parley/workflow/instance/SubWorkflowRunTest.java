package dev.parley.workflow.instance;

import static dev.parley.workflow.instance.Workflows.input;
import static dev.parley.workflow.instance.Workflows.output;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.settings.Settings;
import dev.parley.workflow.instance.run.Engine;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workflows as tools, over HTTP. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class SubWorkflowRunTest extends WorkflowRunCase {
    @Test
    void aPublishedWorkflowIsATool() {
        WorkflowId child = answering("Answer");
        JsonNode tool = tool(child);
        assertThat(tool.at("/provider").asText()).isEqualTo("workflow");
        assertThat(tool.at("/tool_name").asText()).isEqualTo(child.text());
        assertThat(tool.at("/title").asText()).isEqualTo("Answer");
        assertThat(tool.at("/input_schema/properties/question/type").asText()).isEqualTo("string");
        assertThat(tool.at("/input_schema/required").toString()).isEqualTo("[\"question\"]");
        assertThat(tool.at("/output_schema/properties/answer/type/0").asText()).isEqualTo("string");

        String path = organization("/tool-providers/" + tool.at("/provider_id").asText());
        owner.delete(path).send().expect(409);
        post("/tools/" + tool.at("/tool_id").asText() + "/try", Map.of("arguments", Map.of("question", "x")))
                .expect(200);
        post("/tool-providers", Map.of("name", "Workflow", "kind", "mcp", "url", "https://example.com/mcp"))
                .expect(400);
    }

    @Test
    void aTaskRunsAWorkflowAndIsLinkedToIt() {
        WorkflowId child = answering("Answer");
        WorkflowId parent = Workflows.of(tenant).task("ask", calling(child)).publish();
        JsonNode done = trigger(parent, Map.of("inputs", Map.of("question", "Why?")))
                .expect(200)
                .json();
        assertThat(done.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/output/answer").asText()).contains("Why?");

        String id = done.at("/workflow_instance_id").asText();
        String childId = done.at("/tasks/0/child_instance_id").asText();
        JsonNode ran = status(childId);
        assertThat(ran.at("/parent/workflow_instance_id").asText()).isEqualTo(id);
        assertThat(ran.at("/parent/task").asText()).isEqualTo("ask");
        assertThat(ran.at("/created_by").asText())
                .isEqualTo(done.at("/created_by").asText());
        JsonNode listed = get("/instances?parent_instance_id=" + id).at("/items");
        assertThat(listed).hasSize(1);
        assertThat(listed.at("/0/workflow_instance_id").asText()).isEqualTo(childId);

        JsonNode attempts =
                tenant.get("/workflow_instances/" + id + "/attempts").json().at("/items");
        assertThat(attempts).as("one attempt, also with a wait in it").hasSize(1);
        assertThat(attempts.at("/0/status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void aPersonInTheSubWorkflowPausesOnlyThat() {
        WorkflowId child =
                Workflows.of(tenant).named("Approve").human("approve").publish();
        WorkflowId parent = Workflows.of(tenant)
                .ai("first")
                .task("ask", calling(child, output("approved", "BOOLEAN")))
                .ai("meanwhile")
                .after("first", "ask")
                .after("first", "meanwhile")
                .publish();
        String id = start(parent);
        JsonNode ticket = openTickets().getFirst();
        JsonNode waiting = Tenant.eventually(
                () -> status(id),
                one -> one.at("/tasks/2/status").asText().equals("COMPLETED")
                        && one.at("/tasks/1/status").asText().equals("WAITING"));
        assertThat(waiting.at("/status").asText()).isEqualTo("RUNNING");
        assertThat(waiting.at("/tasks/1").has("wait_until")).isFalse();
        assertThat(status(waiting.at("/tasks/1/child_instance_id").asText())
                        .at("/status")
                        .asText())
                .isEqualTo("PAUSED");

        // The instance goes on without its workflow, and its result counts.
        owner.delete(organization("/workflows/" + child.text())).send().expect(204);
        post("/tickets/" + ticket.at("/id").asText() + "/complete", Map.of("answer", Map.of("approved", true)))
                .expect(200);
        assertThat(ended(id).at("/output/approved").asBoolean()).isTrue();
    }

    @Test
    void aTicketOfASubWorkflowOfATestRunIsMarked() {
        WorkflowId child =
                Workflows.of(tenant).named("Approve").human("approve").publish();
        WorkflowId parent = Workflows.of(tenant)
                .task("ask", calling(child, output("approved", "BOOLEAN")))
                .draft();
        post("/workflows/" + parent.text() + "/test-run?wait_seconds=0", Map.of())
                .expect(202);
        assertThat(openTickets().getFirst().at("/test_run").asBoolean()).isTrue();
    }

    @Test
    void aSubWorkflowOfATestRunIsATestRun() {
        WorkflowId child = answering("Answer");
        WorkflowId parent = Workflows.of(tenant).task("ask", calling(child)).draft();
        String tested = post(
                        "/workflows/" + parent.text() + "/test-run?wait_seconds=20",
                        Map.of("inputs", Map.of("question", "offline:fail no")))
                .expect(200)
                .text("/workflow_instance_id");
        assertThat(get("/instances?status=FAILED&test_run=true").at("/items")).hasSize(2);
        assertThat(get("/overview").at("/failed_runs")).isEmpty();

        String subWorkflow = get("/instances?parent_instance_id=" + tested)
                .at("/items/0/workflow_instance_id")
                .asText();
        for (boolean latest : List.of(false, true)) {
            post("/instances/" + subWorkflow + "/rerun?wait_seconds=20", Map.of("version", latest ? "latest" : "same"))
                    .expect(200);
        }
        assertThat(get("/instances?status=FAILED&test_run=true").at("/items"))
                .as("a rerun of the same version is a test run, too")
                .hasSize(3);
        assertThat(get("/overview").at("/failed_runs/0/count").asInt()).isEqualTo(1);
    }

    @Test
    void cancellingAndTerminatingGoDown() {
        WorkflowId child =
                Workflows.of(tenant).named("Approve").human("approve").publish();
        WorkflowId middle = Workflows.of(tenant)
                .named("Middle")
                .task("ask", calling(child, output("approved", "BOOLEAN")))
                .publish();
        WorkflowId top = Workflows.of(tenant)
                .task("ask", calling(middle, output("approved", "BOOLEAN")))
                .publish();
        for (var end : Map.of("cancel", "CANCELLED", "terminate", "TERMINATED").entrySet()) {
            String id = start(top);
            String inside = childOf(id);
            String innermost = childOf(inside);
            Tenant.eventually(
                    () -> status(innermost), one -> one.at("/status").asText().equals("PAUSED"));
            post("/instances/" + id + "/" + end.getKey(), Map.of()).expect(200);
            assertThat(ended(inside).at("/status").asText()).isEqualTo(end.getValue());
            assertThat(ended(innermost).at("/status").asText()).isEqualTo(end.getValue());
        }
    }

    @Test
    void aFailedSubWorkflowFailsItsTaskAndARetryRunsItAgain() {
        WorkflowId child = answering("Answer");
        WorkflowId parent = Workflows.of(tenant)
                .rule("Exception")
                .task("ask", calling(child))
                .publish();
        String id = trigger(parent, Map.of("inputs", Map.of("question", "offline:fail")))
                .text("/workflow_instance_id");
        JsonNode failed = status(id);
        assertThat(failed.at("/status").asText()).isEqualTo("PAUSED");
        assertThat(failed.at("/tasks/0/error/error").asText()).isEqualTo("Sub-workflow failed");
        String first = failed.at("/tasks/0/child_instance_id").asText();
        assertThat(failed.at("/tasks/0/error/detail").asText()).contains(first, "FAILED");

        post("/instances/" + id + "/retry", Map.of()).expect(200);
        Tenant.eventually(() -> childOf(id), second -> !second.equals(first));
    }

    @Test
    void recursionEndsWithAnError() {
        WorkflowId workflow = Workflows.of(tenant)
                .named("Endless")
                .task("again", calling(answering("Other")))
                .draft();
        // Publish it once, so that it has a tool to call, and then let it call itself.
        publish(workflow);
        Map<String, Object> document = Map.of(
                "name",
                "Endless",
                "description",
                "",
                "assignment_rules",
                List.of(Map.of(
                        "rule_type", "Human Feedback",
                        "assignment_type", "User",
                        "assignee_id", tenant.owner().text())),
                "tasks",
                List.of(named("again", calling(workflow))));
        owner.put(organization("/workflows/" + workflow.text()))
                .json(document)
                .send()
                .expect(200);
        publish(workflow);
        String id =
                trigger(workflow, Map.of("inputs", Map.of("question", "Why?"))).text("/workflow_instance_id");
        JsonNode failed = ended(id);
        assertThat(failed.at("/status").asText()).isEqualTo("FAILED");
        assertThat(failed.at("/error/detail").asText()).contains("Too many levels");
        assertThat(get("/instances?limit=100&status=FAILED").at("/items")).hasSize(17);
    }

    @Test
    void everyItemRunsASubWorkflow() {
        WorkflowId parent = eachAnswered(20);
        List<String> values =
                IntStream.range(0, 60).mapToObj(i -> "Question " + i + ".").toList();
        String id =
                trigger(parent, Map.of("inputs", Map.of("question", values))).text("/workflow_instance_id");
        JsonNode done = ended(id);
        assertThat(done.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/output/answer/59").asText()).contains("Question 59.");
        assertThat(get("/instances?limit=100&parent_instance_id=" + id).at("/items"))
                .hasSize(60);
    }

    @Test
    @Tag("all")
    void subWorkflowsWaitForRoomUnderTheLimitOfTheirOrganization() {
        WorkflowId parent = eachAnswered(100);
        List<String> values = Collections.nCopies(100, "offline:wait 2000");
        List<String> ids = IntStream.range(0, 3)
                .mapToObj(_ -> tenant.post(
                                "/workflows/" + parent + "/trigger/sync?wait_seconds=0",
                                Map.of("inputs", Map.of("question", values)))
                        .expect(202)
                        .text("/workflow_instance_id"))
                .toList();
        int limit = Settings.load().quotas().runningInstances();
        Engine engine = Tenant.bean(Engine.class);
        int mostCounted = 0;
        int mostStored = 0;
        for (String id : ids) {
            while (status(id).at("/status").asText().equals("RUNNING")) {
                mostCounted = Math.max(mostCounted, engine.running(tenant.organization()));
                mostStored = Math.max(mostStored, storedRunning());
            }
            assertThat(status(id).at("/status").asText()).isEqualTo("COMPLETED");
        }
        // The parents are counted while they continue, too.
        assertThat(mostCounted).isBetween(limit / 2, limit + ids.size());
        assertThat(mostStored).isBetween(limit / 2, limit + ids.size());
    }

    private int storedRunning() {
        return Tenant.bean(Database.class).with(handle -> handle.createQuery("""
                        SELECT count(*) FROM workflow_instance
                        WHERE organization_id = :organization AND status = 'RUNNING' AND (node_id IS NOT NULL OR wake_at IS NULL)
                        """)
                .bind("organization", tenant.organization())
                .mapTo(Integer.class)
                .one());
    }

    private WorkflowId eachAnswered(int parallel) {
        Map<String, Object> each = new HashMap<>(calling(answering("Answer")));
        each.put("for_each", Map.of("input", "question", "max_parallel", parallel));
        Map<String, Object> questions = new HashMap<>(input("question", "ARRAY", "human_input", true));
        questions.put("items", Map.of("type", "STRING"));
        each.put("input_parameters", List.of(questions));
        return Workflows.of(tenant).task("each", each).publish();
    }

    @Test
    void aModelCallsWorkflowsAndPaysForNoCallTwice() {
        WorkflowId approve =
                Workflows.of(tenant).named("Approve").human("approve").publish();
        WorkflowId answer = answering("Answer");
        WorkflowId agent = Workflows.of(tenant)
                .task(
                        "agent",
                        Map.of(
                                "kind", "AI",
                                "tools", List.of(toolId(approve), toolId(answer)),
                                "input_parameters", List.of(input("human_msg", "STRING", "system_generated", true)),
                                "expected_output", List.of(output("answer", "STRING"))))
                .publish();
        String orders = "offline:call Approve {}\noffline:call Answer {\"question\": \"Why?\"}";
        String id = tenant.post("/workflows/" + agent + "/trigger/sync?wait_seconds=0", Map.of("human_msg", orders))
                .expect(202)
                .text("/workflow_instance_id");
        JsonNode ticket = openTickets().getFirst();
        assertThat(Tenant.eventually(
                                () -> status(id),
                                one -> one.at("/tasks/0/status").asText().equals("WAITING"))
                        .at("/status")
                        .asText())
                .isEqualTo("RUNNING");
        owner.delete(organization("/workflows/" + approve.text())).send().expect(204);
        post("/tickets/" + ticket.at("/id").asText() + "/complete", Map.of("answer", Map.of("approved", true)))
                .expect(200);
        JsonNode done = ended(id);
        assertThat(done.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/output/answer").asText()).isNotEmpty();
        assertThat(get("/instances?parent_instance_id=" + id).at("/items")).hasSize(2);

        JsonNode attempts =
                tenant.get("/workflow_instances/" + id + "/attempts").json().at("/items");
        long promptTokens = 0;
        for (JsonNode attempt : attempts) {
            promptTokens += attempt.at("/input_tokens").asLong();
            assertThat(attempt.at("/status").asText()).isIn("SUSPENDED", "COMPLETED");
            assertThat(attempt.at("/tool_calls").valueStream())
                    .as("also of the workflow that was archived while it ran")
                    .noneMatch(call -> call.at("/failed").asBoolean());
        }
        long charged = get("/instances?limit=100")
                .at("/items")
                .valueStream()
                .filter(one -> one.at("/workflow_instance_id").asText().equals(id))
                .mapToLong(one -> one.at("/input_tokens").asLong())
                .sum();
        assertThat(charged).as("each model call is counted once").isEqualTo(promptTokens);
        assertThat(attempts.findValues("tool_calls").stream()
                        .mapToInt(JsonNode::size)
                        .sum())
                .isGreaterThanOrEqualTo(2);
    }

    @Test
    void anApprovedCallOfAWorkflowIsNotAskedForAgain() {
        WorkflowId answer = answering("Answer");
        WorkflowId agent = Workflows.of(tenant)
                .task(
                        "agent",
                        Map.of(
                                "kind", "AI",
                                "tools", List.of(Map.of("id", toolId(answer), "approval", "always")),
                                "input_parameters", List.of(input("human_msg", "STRING", "system_generated", true)),
                                "expected_output", List.of(output("answer", "STRING"))))
                .publish();
        String id = tenant.post(
                        "/workflows/" + agent + "/trigger/sync?wait_seconds=10",
                        Map.of("human_msg", "offline:call Answer {\"question\": \"Why?\"}"))
                .text("/workflow_instance_id");
        Map<String, Object> edited = Map.of("arguments", Map.of("question", "How?"));
        post("/tickets/" + openTickets().getFirst().at("/id").asText() + "/complete", Map.of("answer", edited))
                .expect(200);
        assertThat(ended(id).at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(get("/tickets?limit=50").at("/items")).hasSize(1);
        assertThat(status(childOf(id)).at("/output/answer").asText()).contains("How?");
        assertThat(tenant.get("/workflow_instances/" + id + "/attempts").json().findValues("edited"))
                .as("what the model requested, beside what was sent")
                .hasSize(1)
                .allMatch(edit -> edit.at("/requested_arguments").asText().contains("Why?"));
    }

    @Test
    void aCallIsCheckedBeforeItIsPublishedAndAnArchivedWorkflowIsGone() {
        WorkflowId child = answering("Answer");
        Map<String, Object> withoutArgument = new HashMap<>(calling(child));
        withoutArgument.put("input_parameters", List.of());
        WorkflowId incomplete =
                Workflows.of(tenant).task("ask", withoutArgument).draft();
        assertThat(post("/workflows/" + incomplete.text() + "/publish", Map.of())
                        .expect(400)
                        .text("/errors/0/detail"))
                .contains("question");

        WorkflowId parent = Workflows.of(tenant).task("ask", calling(child)).publish();
        owner.delete(organization("/workflows/" + child.text())).send().expect(204);
        JsonNode failed =
                trigger(parent, Map.of("inputs", Map.of("question", "Why?"))).json();
        assertThat(failed.at("/status").asText()).isEqualTo("FAILED");
        assertThat(failed.at("/error/error").asText()).isEqualTo("Tool not available");
    }

    @Test
    void theExampleOfASubWorkflowRuns() {
        WorkflowId refund = Workflows.example(tenant, "refund-decision");
        WorkflowId complaint = exampleCalling("complaint", "0192f0c1aa2b3c4d5e6f708192a3b4c5", 1001, refund);
        String id = trigger(complaint, Map.of("inputs", Map.of("complaint", "The bolts are rusty.")))
                .text("/workflow_instance_id");
        complete(openTickets().getFirst(), Map.of("approved", true, "reason", "They are rusty indeed"));
        JsonNode done = ended(id);
        assertThat(done.at("/output/message").asText()).isNotEmpty();
        assertThat(done.at("/tasks/1/child_instance_id").isTextual()).isTrue();
        assertThat(done.at("/tasks/2/skip_reason").asText()).isEqualTo("CONDITION");
    }

    @Test
    @Tag("all")
    void theExampleThatRevisesUntilAPersonIsContentRuns() {
        WorkflowId review = Workflows.example(tenant, "draft-review");
        WorkflowId revise = exampleCalling("revise-until-content", "0192f0c1aa2b3c4d5e6f708192a3b4c6", 1002, review);
        String id = trigger(revise, Map.of("inputs", Map.of("topic", "Autumn"))).text("/workflow_instance_id");
        JsonNode first = openTickets().getFirst();
        complete(first, Map.of("approved", false, "notes", "Shorter"));
        JsonNode second = Tenant.eventually(
                () -> openTickets().getFirst(), ticket -> !ticket.at("/id").equals(first.at("/id")));
        JsonNode shown = get("/tickets/" + second.at("/id").asText()).at("/inputs/draft");
        assertThat(shown.asText()).contains("Autumn");
        complete(second, Map.of("approved", true, "notes", "Good"));
        JsonNode done = ended(id);
        assertThat(done.at("/tasks/1/iterations").asInt()).isEqualTo(2);
        assertThat(done.at("/output/approved").asBoolean()).isTrue();
        assertThat(done.at("/output/draft").asText()).contains("Autumn");
    }

    /** An example whose App task runs this workflow. */
    private WorkflowId exampleCalling(String name, String toolName, int toolId, WorkflowId child) {
        int tool = tool(child).at("/tool_id").asInt();
        return Workflows.example(tenant, name, json -> json.replace(toolName, child.text())
                .replace("\"tool_id\": " + toolId, "\"tool_id\": " + tool));
    }

    private void publish(WorkflowId workflow) {
        post("/workflows/" + workflow.text() + "/publish", Map.of()).expect(200);
    }

    private String start(WorkflowId workflow) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=0", Map.of("human_msg", "Hello"))
                .expect(202)
                .text("/workflow_instance_id");
    }

    private String childOf(String id) {
        return Tenant.eventually(
                () -> status(id).at("/tasks/0/child_instance_id").asText(), found -> !found.isEmpty());
    }
}
