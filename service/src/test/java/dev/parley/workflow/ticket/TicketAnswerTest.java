package dev.parley.workflow.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.TestUser;
import dev.parley.workflow.definition.WorkflowService;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers over HTTP, and their effect on the waiting instance. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TicketAnswerTest {
    private static final String APPROVAL = """
            {"name": "Approval", "assignment_rules": [
                {"rule_type": "Human Feedback", "assignment_type": "User", "assignee_id": "%1$s"}],
             "tasks": [{"id": "approve", "kind": "Human", "name": "Approve", "instructions": "Please look.",
                "expected_output": [
                    {"name": "approved", "type": "BOOLEAN", "description": "Whether"},
                    {"name": "amount", "type": "FLOAT", "description": "How much"}]}]}""";

    private static final String SUMMARY = """
            {"name": "Summary", "assignment_rules": [
                {"rule_type": "Human Feedback", "assignment_type": "User", "assignee_id": "%1$s"}],
             "tasks": [{"id": "sum", "kind": "Human", "name": "Sum up", "instructions": "Please read.",
                "expected_output": [{"name": "summary", "type": "STRING", "description": "In short"}]}]}""";

    private static final String FAILING = """
            {"name": "Failing", "assignment_rules": [
                {"rule_type": "Exception", "assignment_type": "User", "assignee_id": "%1$s"}],
             "tasks": [{"id": "think", "kind": "AI", "name": "Think", "instructions": "Think.",
                "input_parameters": [{"name": "human_msg", "type": "STRING", "description": "It", "required": true,
                    "source": "system_generated"}],
                "expected_output": [{"name": "answer", "type": "STRING", "description": "It"}]}]}""";

    private static final String ASKING = """
            {"name": "Asking", "assignment_rules": [
                {"rule_type": "Human Feedback", "assignment_type": "User", "assignee_id": "%1$s"}],
             "tasks": [{"id": "think", "kind": "AI", "name": "Think", "instructions": "Think.",
                "input_parameters": [
                    {"name": "city", "type": "STRING", "description": "Where", "required": true,
                        "source": "human_input"},
                    {"name": "days", "type": "INTEGER", "description": "How long", "required": true,
                        "source": "human_input"}],
                "expected_output": [{"name": "answer", "type": "STRING", "description": "It"}]}]}""";

    @Inject
    TestOrganizations organizations;

    private TestOrganizations.Tenant tenant;
    private String key;

    @BeforeEach
    void anOrganization() {
        tenant = organizations.create();
        key = organizations.key(tenant.id());
    }

    @Test
    void completingGivesTheTaskItsOutputs() {
        Api.Answer instance = start(APPROVAL, "");
        Api.Answer ticket = act(tenant.member(), instance, "complete", answer("true", "12.50"))
                .expect(200);

        assertThat(ticket.text("/status")).isEqualTo("RESOLVED");
        assertThat(ticket.json().at("/answer").toString()).isEqualTo("{\"approved\":true,\"amount\":12.5}");
        assertThat(ticket.text("/history/1/change")).isEqualTo("completed");
        assertThat(ticket.text("/history/1/by"))
                .isEqualTo("user:" + tenant.member().id().text());
        assertThat(status(instance).text("/status")).isEqualTo("COMPLETED");
        assertThat(status(instance).text("/output/amount")).isEqualTo("12.5");
        Api.Answer late =
                act(tenant.admin(), instance, "complete", answer(true, 1)).expect(409);
        assertThat(late.text("/status")).isEqualTo("RESOLVED");
    }

    @Test
    void rejectingFailsTheInstance() {
        Api.Answer instance = start(APPROVAL, "");
        Api.Answer ticket = act(tenant.member(), instance, "reject", Map.of("reason", "Too dear."))
                .expect(200);

        assertThat(ticket.text("/status")).isEqualTo("REJECTED");
        assertThat(ticket.text("/reason")).isEqualTo("Too dear.");
        assertThat(status(instance).text("/status")).isEqualTo("FAILED");
    }

    @Test
    void anExceptionIsRetriedRaisedOrSupplied() {
        Api.Answer retried = start(FAILING, "offline:fail No way.");
        assertThat(ticket(retried).text("/exception/detail")).contains("No way.");
        Api.Answer again = act(tenant.member(), retried, "retry", Map.of()).expect(200);
        assertThat(again.text("/status")).isEqualTo("RESOLVED");
        assertThat(again.text("/history/1/change")).isEqualTo("retried");
        String first = again.text("/id");
        Tenant.eventually(
                () -> status(retried),
                now -> now.text("/status").equals("PAUSED")
                        && !now.text("/tasks/0/ticket_id").equals(first));

        act(tenant.member(), retried, "complete", Map.of("answer", Map.of("answer", "42")))
                .expect(200);
        assertThat(status(retried).text("/output/answer")).isEqualTo("42");

        Api.Answer raised = start(FAILING, "offline:fail No way.");
        assertThat(act(tenant.member(), raised, "reject", Map.of("reason", "Indeed."))
                        .expect(200)
                        .text("/status"))
                .isEqualTo("REJECTED");
        assertThat(status(raised).text("/status")).isEqualTo("FAILED");
    }

    @Test
    void aQuestionIsAnsweredByItsInputs() {
        Api.Answer instance = start(ASKING, "");
        Api.Answer refused = act(tenant.member(), instance, "complete", Map.of("answer", Map.of("days", "many")))
                .expect(400);
        assertThat(refused.json().at("/errors").valueStream().map(error -> error.at("/path")
                        .asText()))
                .containsExactlyInAnyOrder("/answer/city", "/answer/days");

        act(tenant.member(), instance, "complete", Map.of("answer", Map.of("city", "Oslo", "days", "3")))
                .expect(200);
        Tenant.eventually(() -> status(instance).text("/status"), now -> now.equals("COMPLETED"));
    }

    @Test
    void aCancelledInstanceClosesItsTicketThoughItIsClaimed() {
        Api.Answer instance = start(APPROVAL, "");
        act(tenant.member(), instance, "claim", Map.of()).expect(200);
        new Api()
                .post("/developer/api/workflow_instances/" + instance.text("/workflow_instance_id") + "/cancel")
                .key(key)
                .json(Map.of())
                .send()
                .expect(200);

        assertThat(ticket(instance).text("/status")).isEqualTo("CLOSED");
        assertThat(act(tenant.member(), instance, "complete", answer(true, 1))
                        .expect(409)
                        .text("/status"))
                .isEqualTo("CLOSED");
    }

    @Test
    void ofManyWhoCompleteAtOnceOneWins() throws Exception {
        Api.Answer instance = start(APPROVAL, "");
        List<Callable<Api.Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int amount = i;
            TestUser who = i % 2 == 0 ? tenant.member() : tenant.admin();
            answers.add(() -> act(who, instance, "complete", answer(true, amount)));
        }
        List<Api.Answer> results = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Api.Answer> result : threads.invokeAll(answers)) {
                results.add(result.get());
            }
        }

        assertThat(results)
                .extracting(Api.Answer::status)
                .containsOnly(200, 409)
                .containsOnlyOnce(200);
        assertThat(results)
                .filteredOn(result -> result.status() == 409)
                .allSatisfy(lost -> assertThat(lost.text("/status")).isEqualTo("RESOLVED"));
        Api.Answer won = results.stream()
                .filter(result -> result.status() == 200)
                .findFirst()
                .orElseThrow();
        assertThat(status(instance).text("/output/amount")).isEqualTo(won.text("/answer/amount"));
        assertThat(ticket(instance).json().at("/history")).hasSize(2);
    }

    @Test
    void repeatingAnAnswerReturnsTheTicketAndAnotherAnswerIsAConflict() {
        Api.Answer instance = start(APPROVAL, "");
        String first = act(tenant.member(), instance, "complete", answer(true, 7))
                .expect(200)
                .text("/answer/amount");
        Api.Answer repeated =
                act(tenant.member(), instance, "complete", answer(true, "7")).expect(200);
        assertThat(repeated.text("/answer/amount")).isEqualTo(first);
        assertThat(repeated.text("/status")).isEqualTo("RESOLVED");
        act(tenant.member(), instance, "complete", answer(true, 8)).expect(409);
        act(tenant.member(), instance, "complete", answer(true, "many")).expect(409);
        act(tenant.member(), instance, "reject", Map.of("reason", "No.")).expect(409);
        act(tenant.admin(), instance, "complete", answer(true, 7)).expect(409);
        assertThat(ticket(instance).json().at("/history")).hasSize(2);
    }

    private static Map<String, Object> answer(Object approved, Object amount) {
        return Map.of("answer", Map.of("approved", approved, "amount", amount));
    }

    private Api.Answer start(String document, String message) {
        var store = Tenant.bean(WorkflowService.class);
        String json = document.formatted(tenant.member().id().text());
        WorkflowId id = store.create(tenant.id(), dev.parley.http.json.StrictJson.readObject(json), true, "system")
                .id();
        var _ = store.publish(tenant.id(), id, "system", null, dev.parley.http.IfMatch.ANY, _ -> {})
                .orElseThrow();
        Api.Answer instance = new Api()
                .post("/developer/api/workflows/" + id + "/trigger/sync")
                .key(key)
                .json(message.isEmpty() ? Map.of() : Map.of("human_msg", message))
                .send()
                .expect(200);
        assertThat(instance.text("/status")).as(instance.body()).isEqualTo("PAUSED");
        return instance;
    }

    @Test
    void aRequiredTextMustNotBeBlank() {
        Api.Answer instance = start(SUMMARY, "");
        for (String blank : List.of("", "  \n\t", "\u2003")) {
            Api.Answer refused = act(tenant.member(), instance, "complete", Map.of("answer", Map.of("summary", blank)))
                    .expect(400);
            assertThat(refused.text("/errors/0/path")).isEqualTo("/answer/summary");
            assertThat(refused.text("/errors/0/detail"))
                    .isEqualTo("The field 'summary' is required and must not be blank.");
        }
        act(tenant.member(), instance, "complete", Map.of("answer", Map.of("summary", " Fine ")))
                .expect(200);
    }

    private Api.Answer status(Api.Answer instance) {
        return new Api()
                .get("/developer/api/workflow_instances/" + instance.text("/workflow_instance_id") + "/status")
                .key(key)
                .send()
                .expect(200);
    }

    private Api.Answer ticket(Api.Answer instance) {
        return tenant.member().browser().get(path(instance)).send().expect(200);
    }

    private Api.Answer act(TestUser who, Api.Answer instance, String action, Object body) {
        return who.browser().post(path(instance) + "/" + action).json(body).send();
    }

    private String path(Api.Answer instance) {
        return tenant.path() + "/tickets/" + status(instance).text("/tasks/0/ticket_id");
    }
}
