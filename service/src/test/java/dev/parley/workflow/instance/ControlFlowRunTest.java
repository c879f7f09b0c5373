package dev.parley.workflow.instance;

import static dev.parley.workflow.instance.Workflows.input;
import static dev.parley.workflow.instance.Workflows.output;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Conditions, items and iterations over HTTP. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ControlFlowRunTest extends WorkflowRunCase {
    @Test
    void aPersonsAnswerChoosesTheBranch() {
        WorkflowId workflow = Workflows.of(tenant)
                .human("approve")
                .task("refund", ai(Map.of("when", "tasks.approve.approved")))
                .task("refuse", ai(Map.of("when", "!tasks.approve.approved")))
                .task("close", ai(Map.of("join", "any")))
                .after("approve", "refund")
                .after("approve", "refuse")
                .after("refund", "close")
                .after("refuse", "close")
                .publish();
        String id = trigger(workflow, Map.of("human_msg", "Hello")).text("/workflow_instance_id");
        complete(openTickets().getFirst(), Map.of("approved", false));
        JsonNode done = ended(id);
        assertThat(done.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/tasks/1/status").asText()).isEqualTo("SKIPPED");
        assertThat(done.at("/tasks/1/skip_reason").asText()).isEqualTo("CONDITION");
        assertThat(done.at("/tasks/2/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/tasks/2").has("skip_reason")).isFalse();
        assertThat(done.at("/tasks/3/status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void anItemsTicketsAreAnsweredInAnyOrder() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "check",
                        Map.of(
                                "kind", "Human",
                                "for_each", Map.of("input", "names", "max_parallel", 2),
                                "input_parameters", List.of(array("names", "STRING")),
                                "expected_output", List.of(output("approved", "BOOLEAN"))))
                .publish();
        String id = trigger(workflow, Map.of("inputs", Map.of("names", List.of("Ada", "Bob", "Cleo"))))
                .expect(200)
                .text("/workflow_instance_id");
        List<JsonNode> tickets = openTickets();
        assertThat(tickets)
                .extracting(ticket -> ticket.at("/title").asText())
                .containsExactlyInAnyOrder("check (1 of 3)", "check (2 of 3)");
        for (int answered = 0; answered < 3; answered++) {
            JsonNode ticket = openTickets().getLast();
            String name = ticket.at("/inputs/names").asText();
            complete(ticket, Map.of("approved", !name.equals("Bob")));
        }
        JsonNode done = ended(id);
        assertThat(done.at("/output/approved").toString()).isEqualTo("[true,false,true]");
        assertThat(done.at("/tasks/0/items").toString()).isEqualTo("{\"total\":3,\"completed\":3,\"failed\":0}");
    }

    @Test
    void theFailuresAmongAThousandItemsAreCollected() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "each",
                        Map.of(
                                "kind", "AI",
                                "for_each", Map.of("input", "human_msg", "max_parallel", 50, "on_error", "collect"),
                                "input_parameters", List.of(array("human_msg", "STRING")),
                                "expected_output", List.of(output("answer", "STRING"))))
                .publish();
        List<String> values = new ArrayList<>(
                IntStream.range(0, 1_000).mapToObj(i -> "Item " + i).toList());
        values.set(500, "offline:fail");
        String id =
                trigger(workflow, Map.of("inputs", Map.of("human_msg", values))).text("/workflow_instance_id");
        JsonNode done = ended(id);
        assertThat(done.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/tasks/0/items/failed").asInt()).isEqualTo(1);
        assertThat(done.at("/output/answer")).hasSize(1_000);
        assertThat(done.at("/output/answer/500").isNull()).isTrue();
        assertThat(done.at("/output/answer/999").asText()).contains("Item 999");
        JsonNode attempts =
                tenant.get("/workflow_instances/" + id + "/attempts?limit=5").json();
        assertThat(attempts.at("/items/0/item").isInt()).isTrue();
    }

    /** Each evaluation took hours, on the threads that answer requests. */
    @Test
    @Tag("all")
    void expensiveConditionsAffectNoOtherOrganization() throws Exception {
        Workflows.Builder builder = Workflows.of(tenant);
        for (int i = 0; i < 20; i++) {
            builder.task(
                    "task" + i,
                    Map.of(
                            "kind",
                            "AI",
                            "when",
                            i == 0 ? "true" : "inputs.l.exists(x, inputs.a.contains(inputs.b) && x < 0)",
                            "input_parameters",
                            List.of(
                                    Map.of(
                                            "name", "l",
                                            "type", "ARRAY",
                                            "items", Map.of("type", "INTEGER"),
                                            "description", "l",
                                            "source", "human_input"),
                                    input("a", "STRING", "human_input", true),
                                    input("b", "STRING", "human_input", true)),
                            "expected_output",
                            List.of(output("answer", "STRING"))));
            if (i > 0) {
                builder.after("task0", "task" + i);
            }
        }
        WorkflowId workflow = builder.publish();
        Map<String, Object> inputs = Map.of(
                "l", IntStream.range(0, 20_000).boxed().toList(),
                "a", "a".repeat(100_000),
                "b", "a".repeat(50_000) + "b");
        List<CompletableFuture<Api.Answer>> triggers = IntStream.range(0, 8)
                .mapToObj(_ -> CompletableFuture.supplyAsync(() -> trigger(workflow, Map.of("inputs", inputs))))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(triggers.toArray(CompletableFuture[]::new));
        Tenant other = Tenant.create();
        Duration slowest = Duration.ZERO;
        do {
            long begun = System.nanoTime();
            Tenant.eventually(() -> new Api().get("/health/ready").send().status(), status -> status == 200);
            Tenant.eventually(() -> other.get("/workflow_instances").status(), status -> status == 200);
            Duration elapsed = Duration.ofNanos(System.nanoTime() - begun);
            slowest = elapsed.compareTo(slowest) > 0 ? elapsed : slowest;
        } while (!all.isDone());
        assertThat(slowest).isLessThan(Duration.ofSeconds(30));
        for (CompletableFuture<Api.Answer> trigger : triggers) {
            JsonNode done = ended(trigger.get().text("/workflow_instance_id"));
            assertThat(done.at("/status").asText()).isEqualTo("FAILED");
            assertThat(done.toString()).contains("Condition error", "takes more work than is allowed");
        }
    }

    @Test
    void aTaskRepeatsUntilThePersonIsContent() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "revise",
                        Map.of(
                                "kind", "Human",
                                "repeat", Map.of("until", "outputs.approved", "max", 3),
                                "input_parameters",
                                        List.of(input("previous.note", "STRING", "system_generated", false)),
                                "expected_output", List.of(output("approved", "BOOLEAN"), output("note", "STRING"))))
                .publish();
        String id = trigger(workflow, Map.of()).text("/workflow_instance_id");
        complete(openTickets().getFirst(), Map.of("approved", false, "note", "Too long"));
        JsonNode second = openTickets().getFirst();
        assertThat(second.at("/inputs").get("previous.note").asText()).isEqualTo("Too long");
        assertThat(tenant.get("/workflow_instances/" + id + "/status")
                        .json()
                        .at("/tasks/0/iterations")
                        .asInt())
                .isEqualTo(2);
        complete(second, Map.of("approved", true, "note", "Good"));
        assertThat(ended(id).at("/output/note").asText()).isEqualTo("Good");
    }

    @Test
    void aTaskWaitsForATimeWithoutANode() {
        WorkflowId workflow = Workflows.of(tenant)
                .task("wait", builtIn("time.wait", 3, fixed("seconds", "FLOAT", 1.5), output("resumed_at", "DATETIME")))
                .publish();
        String id = start(workflow);
        JsonNode status = Tenant.eventually(
                () -> status(id), instance -> instance.at("/tasks/0/wait_until").isTextual());
        assertThat(status.at("/status").asText()).isEqualTo("RUNNING");
        assertThat(status.at("/tasks/0/status").asText()).isEqualTo("WAITING");
        assertThat(status.at("/tasks/0/resume_url").isMissingNode()).isTrue();
        assertThat(Tenant.bean(Database.class).<Boolean>with(handle -> handle.createQuery(
                                "SELECT node_id IS NULL FROM workflow_instance WHERE organization_id = ?")
                        .bind(0, tenant.organization())
                        .mapTo(Boolean.class)
                        .one()))
                .isTrue();
        assertThat(ended(id).at("/output/resumed_at").asText())
                .isEqualTo(status.at("/tasks/0/wait_until").asText());
    }

    @Test
    void aSynchronousTriggerWaitsForAShortTime() {
        WorkflowId workflow = Workflows.of(tenant)
                .task("wait", builtIn("time.wait", 3, fixed("seconds", "FLOAT", 0.2), output("resumed_at", "DATETIME")))
                .publish();
        assertThat(trigger(workflow, Map.of()).expect(200).text("/status")).isEqualTo("COMPLETED");
    }

    @Test
    void anEventCompletesTheTaskThatWaitsForItOnceAndMayBeRepeated() {
        String id = start(eventWithin(60));
        String url =
                Tenant.eventually(() -> status(id).at("/tasks/0/resume_url").asText(), found -> !found.isEmpty());
        String path = url.substring(url.indexOf("/developer/resume/"));
        Api anybody = new Api();

        assertThat(anybody.get(path).send().status()).isEqualTo(405);
        assertThat(anybody.post(path)
                        .json(Map.of("amount", "much"))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/amount");
        anybody.post(path).json(List.of()).send().expect(400);
        anybody.post(path + "x").json(Map.of("amount", 1)).send().expect(404);
        anybody.post(path).json(Map.of("amount", 12)).send().expect(204);
        assertThat(ended(id).at("/output/amount").asInt()).isEqualTo(12);
        anybody.post(path).json(Map.of("amount", 12)).send().expect(204);
        anybody.post(path).json(Map.of("amount", "12")).send().expect(204);
        anybody.post(path).json(Map.of("amount", 13)).send().expect(409);
    }

    /** The items wait at the same time, each at its own URL; the items themselves are no arguments of the tool. */
    @Test
    void eachItemHasItsOwnResumeUrl() {
        Map<String, Object> orders = new HashMap<>(Workflows.input("order", "ARRAY", "task_config", true));
        orders.put("items", Map.of("type", "STRING"));
        orders.put("value", List.of("a", "b", "c"));
        Map<String, Object> wait = new HashMap<>(
                builtIn("event.wait", 4, fixed("expires_in_seconds", "INTEGER", 600), output("amount", "INTEGER")));
        wait.put("for_each", Map.of("input", "order"));
        List<Object> inputs = new ArrayList<>((List<?>) wait.get("input_parameters"));
        inputs.add(orders);
        wait.put("input_parameters", inputs);
        String id = start(Workflows.of(tenant).task("wait", wait).publish());
        JsonNode items = Tenant.eventually(() -> status(id).at("/tasks/0/waiting_items"), found -> found.size() == 3);
        assertThat(items.findValuesAsText("item")).containsExactly("0", "1", "2");
        assertThat(items.findValuesAsText("resume_url")).doesNotHaveDuplicates();
        assertThat(items.at("/0/wait_until").isTextual()).isTrue();
        assertThat(status(id).at("/tasks/0/resume_url")).isEqualTo(items.at("/0/resume_url"));
        for (int item : List.of(2, 0, 1)) {
            String url = items.at("/" + item + "/resume_url").asText();
            new Api()
                    .post(url.substring(url.indexOf("/developer/resume/")))
                    .json(Map.of("amount", 10 + item))
                    .send()
                    .expect(204);
        }
        assertThat(ended(id).at("/output/amount").toString()).isEqualTo("[10,11,12]");
    }

    @Test
    void anEventThatDoesNotArriveInTimeIsAnError() {
        assertThat(trigger(eventWithin(1), Map.of()).expect(200).text("/error/error"))
                .isEqualTo("Expired");
    }

    @Test
    void theExamplesOfBranchesAndItemsRun() {
        String refund = trigger(
                        Workflows.example(tenant, "refund-decision"),
                        Map.of("inputs", Map.of("request", "Money, please")))
                .text("/workflow_instance_id");
        complete(openTickets().getFirst(), Map.of("approved", false, "reason", "Too late"));
        JsonNode refused = ended(refund);
        assertThat(refused.at("/tasks/1/status").asText()).isEqualTo("SKIPPED");
        assertThat(refused.at("/output/message").asText()).isNotEmpty();

        String review = trigger(
                        Workflows.example(tenant, "invoice-review"),
                        Map.of("inputs", Map.of("invoice", List.of("one", "two"))))
                .text("/workflow_instance_id");
        openTickets().forEach(ticket -> complete(ticket, Map.of("correct", true)));
        assertThat(ended(review).at("/output/summary").asText()).isNotEmpty();
    }

    @Test
    void theExamplesOfWaitingRun() {
        String reminder = trigger(
                        Workflows.example(tenant, "payment-reminder"),
                        Map.of("inputs", Map.of("until", "2020-01-31T09:00:00Z")))
                .expect(200)
                .text("/workflow_instance_id");
        complete(openTickets().getFirst(), Map.of("paid", true));
        assertThat(ended(reminder).at("/tasks/2/skip_reason").asText()).isEqualTo("CONDITION");

        String callback = start(Workflows.example(tenant, "payment-callback"));
        String url = Tenant.eventually(
                () -> status(callback).at("/tasks/0/resume_url").asText(), found -> !found.isEmpty());
        new Api()
                .post(url.substring(url.indexOf("/developer/resume/")))
                .json(Map.of("amount", 99.5, "reference", "R-7"))
                .send()
                .expect(204);
        assertThat(ended(callback).at("/tasks/1/status").asText()).isEqualTo("SKIPPED");
    }

    private WorkflowId eventWithin(int seconds) {
        return Workflows.of(tenant)
                .task(
                        "paid",
                        builtIn(
                                "event.wait",
                                4,
                                fixed("expires_in_seconds", "INTEGER", seconds),
                                output("amount", "INTEGER")))
                .publish();
    }

    private String start(WorkflowId workflow) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=0", Map.of())
                .expect(202)
                .text("/workflow_instance_id");
    }

    @Test
    void anInvalidConditionIsRefusedWithItsPlace() {
        Map<String, Object> document = new HashMap<>(Map.of(
                "name", "Broken",
                "assignment_rules",
                        List.of(Map.of(
                                "rule_type", "Human Feedback",
                                "assignment_type", "User",
                                "assignee_id", tenant.owner().text())),
                "tasks",
                        List.of(Map.of(
                                "id",
                                "a",
                                "kind",
                                "AI",
                                "name",
                                "A",
                                "instructions",
                                "Do.",
                                "when",
                                "inputs.mesage == 'x'",
                                "input_parameters",
                                List.of(input("message", "STRING", "human_input", true)),
                                "expected_output",
                                List.of(output("answer", "STRING"))))));
        JsonNode errors = post("/workflows", document).expect(400).json().at("/errors");
        assertThat(errors.get(0).at("/path").asText()
                        + errors.get(0).at("/field").asText())
                .contains("/tasks/0/when");
        assertThat(errors.get(0).at("/detail").asText())
                .isEqualTo("At column 7: there is nothing named 'mesage' here.");
    }

    private static Map<String, Object> builtIn(
            String tool, int id, Map<String, Object> argument, Map<String, Object> output) {
        return Map.of(
                "kind",
                "App",
                "provider",
                "builtin",
                "tool_name",
                tool,
                "tool_id",
                id,
                "input_parameters",
                List.of(argument),
                "expected_output",
                List.of(output));
    }

    private static Map<String, Object> fixed(String name, String type, Object value) {
        Map<String, Object> input = new HashMap<>(input(name, type, "task_config", true));
        input.put("value", value);
        return input;
    }

    private static Map<String, Object> ai(Map<String, Object> flow) {
        Map<String, Object> fields = new HashMap<>(Map.of(
                "kind", "AI",
                "input_parameters", List.of(input("human_msg", "STRING", "system_generated", true)),
                "expected_output", List.of(output("answer", "STRING"))));
        fields.putAll(flow);
        return fields;
    }

    private static Map<String, Object> array(String name, String items) {
        Map<String, Object> array = new HashMap<>(input(name, "ARRAY", "human_input", true));
        array.put("items", Map.of("type", items));
        return array;
    }
}
