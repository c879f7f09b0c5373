package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People approve, edit and reject the tool calls of a model. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ToolApprovalTest {
    private final Tenant tenant = Tenant.create();
    private ScriptedServer bank;

    @BeforeEach
    void openBank() throws IOException {
        bank = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{\"paid\": true}"));
    }

    @AfterEach
    void close() throws IOException {
        bank.close();
    }

    private WorkflowId agent(Map<String, Object> more) {
        Map<String, Object> task = new LinkedHashMap<>(Map.of(
                "kind", "AI",
                "input_parameters", List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                "expected_output", List.of(Workflows.output("answer", "STRING")),
                "tools", List.of(Map.of("id", 1, "approval", "when", "when", "arguments.body.amount > 100"))));
        task.putAll(more);
        return Workflows.of(tenant).task("pay", task).publish();
    }

    private String order(Object amount) {
        Map<String, Object> arguments =
                Map.of("method", "POST", "url", bank.url("/pay"), "body", Map.of("amount", amount));
        return "offline:call http.request " + StrictJson.write(arguments);
    }

    private JsonNode trigger(WorkflowId workflow, String message) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=20", Map.of("human_msg", message))
                .expect(200)
                .json();
    }

    private JsonNode status(JsonNode instance) {
        return tenant.get("/workflow_instances/"
                        + instance.path("workflow_instance_id").asText() + "/status")
                .expect(200)
                .json();
    }

    private JsonNode ended(JsonNode instance) {
        return Tenant.eventually(
                () -> status(instance), found -> found.path("status").asText().equals("COMPLETED"));
    }

    private JsonNode attempts(JsonNode instance) {
        return tenant.get("/workflow_instances/"
                        + instance.path("workflow_instance_id").asText() + "/attempts")
                .expect(200)
                .json()
                .path("items");
    }

    private String tickets() {
        return "/dashboard/api/organizations/" + tenant.organization() + "/tickets/";
    }

    private JsonNode ticket(JsonNode instance) {
        String id = instance.at("/tasks/0/ticket_id").asText();
        return tenant.browser().get(tickets() + id).send().expect(200).json();
    }

    private void approve(JsonNode ticket, Map<String, Object> answer) {
        tenant.browser()
                .post(tickets() + ticket.path("id").asText() + "/complete")
                .json(Map.of("answer", answer))
                .send()
                .expect(200);
    }

    @Test
    void aCallWaitsForItsApproval() {
        JsonNode instance = trigger(agent(Map.of()), order(150));
        assertThat(instance.path("status").asText()).isEqualTo("PAUSED");
        assertThat(instance.at("/tasks/0/status").asText()).isEqualTo("WAITING");
        JsonNode ticket = ticket(instance);
        assertThat(ticket.path("rule_type").asText()).isEqualTo("Human Feedback");
        assertThat(ticket.path("title").asText()).isEqualTo("Approve http.request in pay");
        assertThat(ticket.at("/tool_call/tool_id").asInt()).isOne();
        assertThat(ticket.at("/inputs/body/amount").asInt()).isEqualTo(150);
        assertThat(bank.received()).isEmpty();

        approve(ticket, Map.of());
        assertThat(ended(instance).at("/tasks/0/attempts").asInt()).isEqualTo(2);
        assertThat(bank.received()).hasSize(1);
        assertThat(bank.received().getFirst().header("Idempotency-Key"))
                .isEqualTo(instance.path("workflow_instance_id").asText() + ":pay:1-1");
        JsonNode attempts = attempts(instance);
        assertThat(StreamSupport.stream(attempts.spliterator(), false)
                        .map(one -> one.path("status").asText()))
                .containsExactly("SUSPENDED", "COMPLETED");
        assertThat(attempts.at("/1/tool_calls/0/result").asText()).contains("paid");
        approveAgain(ticket);
    }

    private void approveAgain(JsonNode ticket) {
        tenant.browser()
                .post(tickets() + ticket.path("id").asText() + "/complete")
                .json(Map.of("answer", Map.of()))
                .send()
                .expect(409);
    }

    @Test
    void everyIterationOfARepeatedTaskAsksForItself() {
        WorkflowId workflow = agent(Map.of("repeat", Map.of("until", "outputs.answer == 'never'", "max", 2)));
        JsonNode instance = trigger(workflow, order(150));
        JsonNode first = ticket(instance);
        approve(first, Map.of());
        JsonNode waiting = Tenant.eventually(
                () -> status(instance),
                found -> found.path("status").asText().equals("PAUSED")
                        && !ticket(found).path("id").equals(first.path("id")));
        assertThat(waiting.at("/tasks/0/iterations").asInt()).isEqualTo(2);
        assertThat(bank.received()).hasSize(1);

        approve(ticket(waiting), Map.of());
        JsonNode failed = Tenant.eventually(
                () -> status(instance), found -> found.path("status").asText().equals("FAILED"));
        assertThat(failed.at("/tasks/0/error/detail").asText()).contains("2 iterations");
        assertThat(bank.received()).hasSize(2);
        assertThat(bank.received().getLast().header("Idempotency-Key"))
                .isNotEqualTo(bank.received().getFirst().header("Idempotency-Key"));
    }

    @Test
    void editedArgumentsAreCheckedByTheSchemaOfTheTool() {
        JsonNode instance = trigger(agent(Map.of()), order(150));
        JsonNode ticket = ticket(instance);
        JsonNode refused = tenant.browser()
                .post(tickets() + ticket.path("id").asText() + "/complete")
                .json(Map.of(
                        "answer", Map.of("arguments", Map.of("url", bank.url("/pay"), "method", "BUY", "query", 1))))
                .send()
                .expect(400)
                .json();
        assertThat(refused.path("errors").findValuesAsText("path"))
                .contains("/answer/arguments/method", "/answer/arguments/query");
        approve(
                ticket,
                Map.of("arguments", Map.of("url", bank.url("/less"), "method", "POST", "body", Map.of("amount", 120))));
        var _ = ended(instance);
        assertThat(bank.received()).hasSize(1);
        assertThat(bank.received().getFirst().line()).startsWith("POST /less");
        assertThat(bank.received().getFirst().body()).isEqualTo("{\"amount\":120}");
        assertThatTheEditIsRecorded(instance, ticket);
    }

    private void assertThatTheEditIsRecorded(JsonNode instance, JsonNode ticket) {
        JsonNode call = attempts(instance).at("/1/tool_calls/0");
        assertThat(call.path("arguments").asText()).contains("/less", "120");
        assertThat(call.at("/edited/requested_arguments").asText()).contains("/pay", "150");
        assertThat(call.at("/edited/by").asText()).startsWith("user:");
        assertThat(call.at("/edited/at").asText()).isNotEmpty();
        JsonNode decision = decisions(instance).getFirst();
        assertThat(decision.path("sent_arguments").asText()).contains("/less", "120");
        assertThat(decision.path("requested_arguments").asText()).contains("/pay", "150");
        assertThat(decision.path("edited").asBoolean()).isTrue();
        JsonNode resolved = tenant.browser()
                .get(tickets() + ticket.path("id").asText())
                .send()
                .expect(200)
                .json();
        assertThat(resolved.at("/tool_call/sent_arguments").asText()).contains("/less", "120");
        assertThat(resolved.at("/tool_call/edited").asBoolean()).isTrue();
        JsonNode audited = tenant.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/audit-log?action=tickets.complete")
                .send()
                .expect(200)
                .json()
                .at("/items/0/changes");
        assertThat(audited.toString())
                .contains("/less", "120", "arguments_edited")
                .doesNotContain("150");
    }

    private List<JsonNode> decisions(JsonNode instance) {
        return tenant
                .get("/workflow_instances/"
                        + instance.path("workflow_instance_id").asText() + "/logs")
                .expect(200)
                .json()
                .findValues("tool_calls")
                .stream()
                .flatMap(JsonNode::valueStream)
                .toList();
    }

    @Test
    void anEditThatChangesNothingIsNone() {
        JsonNode instance = trigger(agent(Map.of()), order(150));
        JsonNode ticket = ticket(instance);
        approve(ticket, Map.of("arguments", ticket.path("inputs")));
        var _ = ended(instance);
        assertThat(attempts(instance).at("/1/tool_calls/0").has("edited")).isFalse();
        assertThat(decisions(instance)).hasSize(1);
        assertThat(decisions(instance).getFirst().path("edited").asBoolean(true))
                .isFalse();
        assertThat(decisions(instance).getFirst().path("sent_arguments").asText())
                .contains("150");
    }

    @Test
    void aRejectionReachesTheModelAndCallsNothing() {
        JsonNode instance = trigger(agent(Map.of()), order(150) + "\n" + order(20));
        tenant.browser()
                .post(tickets() + ticket(instance).path("id").asText() + "/reject")
                .json(Map.of("reason", "Not this supplier."))
                .send()
                .expect(200);
        var _ = ended(instance);
        assertThat(bank.received()).as("the second call needs no approval").hasSize(1);
        JsonNode calls = attempts(instance).at("/1/tool_calls");
        assertThat(calls.at("/0/result").asText()).isEqualTo("A person rejected this call. Not this supplier.");
        assertThat(calls.at("/0/failed").asBoolean()).isTrue();
        assertThat(decisions(instance)).hasSize(1);
        assertThat(decisions(instance).getFirst().path("approved").asBoolean(true))
                .isFalse();
        assertThat(decisions(instance).getFirst().path("sent_arguments").isNull())
                .isTrue();
    }

    @Test
    void aConditionThatCannotBeEvaluatedNeedsTheApproval() {
        WorkflowId workflow = agent(Map.of());
        assertThat(trigger(workflow, order("much")).path("status").asText()).isEqualTo("PAUSED");
        assertThat(trigger(workflow, order(99)).path("status").asText()).isEqualTo("COMPLETED");
        assertThat(bank.received()).hasSize(1);
    }

    @Test
    void theExampleAsksBeforeItSends() {
        WorkflowId workflow = Workflows.example(tenant, "supervised-agent");
        String reads = "offline:call http.request " + StrictJson.write(Map.of("url", bank.url("/prices")));
        JsonNode instance = trigger(workflow, reads + "\n" + order(1));
        assertThat(instance.path("status").asText()).isEqualTo("PAUSED");
        assertThat(bank.received()).hasSize(1);
        approve(ticket(instance), Map.of());
        assertThat(ended(instance).at("/output/summary").asText()).contains("Offline model");
        assertThat(bank.received()).hasSize(2);
    }

    @Test
    void limitsOfTheDefinitionStopTheTask() {
        WorkflowId oneCall = agent(Map.of("limits", Map.of("tool_calls", 1)));
        assertThat(trigger(oneCall, order(1) + "\n" + order(2)).path("status").asText())
                .as("the model answers without the second call")
                .isEqualTo("COMPLETED");
        assertThat(bank.received()).hasSize(1);
        WorkflowId oneReply = agent(Map.of("limits", Map.of("model_calls", 1)));
        JsonNode failed = trigger(oneReply, order(1));
        assertThat(failed.path("status").asText()).isEqualTo("FAILED");
        assertThat(failed.at("/error/error").asText()).isEqualTo("Limit reached");
        assertThat(failed.at("/error/detail").asText())
                .isEqualTo("The limit of the task is 1 model call, and 1 has been used.");
    }

    @Test
    void everyItemAsksForItself() {
        Map<String, Object> orders = new LinkedHashMap<>(Workflows.input("orders", "ARRAY", "task_config", true));
        orders.put("items", Map.of("type", "STRING"));
        orders.put("value", List.of(order(101), order(5), order(102)));
        Map<String, Object> forEach = Map.of("for_each", Map.of("input", "orders"));
        Map<String, Object> task = new LinkedHashMap<>(forEach);
        task.put("input_parameters", List.of(orders));
        WorkflowId workflow = agent(task);
        JsonNode instance = trigger(workflow, "go");
        assertThat(instance.path("status").asText()).isEqualTo("PAUSED");
        List<JsonNode> open = StreamSupport.stream(
                        tenant.browser()
                                .get("/dashboard/api/organizations/" + tenant.organization() + "/tickets?status=OPEN")
                                .send()
                                .expect(200)
                                .json()
                                .path("items")
                                .spliterator(),
                        false)
                .toList();
        assertThat(open).hasSize(2);
        open.forEach(ticket -> approve(ticket, Map.of()));
        var _ = ended(instance);
        assertThat(decisions(instance))
                .extracting(decision -> decision.path("item").asInt(-1))
                .containsExactlyInAnyOrder(0, 2);
        assertThat(bank.received().stream().map(request -> request.header("Idempotency-Key")))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }
}
