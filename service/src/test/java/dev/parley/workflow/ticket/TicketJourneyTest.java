package dev.parley.workflow.ticket;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.mail.archive.ArchivedEmail;
import dev.parley.mail.archive.MailArchive;
import dev.parley.organization.Role;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.organization.member.TestOrganizations.TestUser;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tickets over HTTP from the run that opens them to its end, with their mails. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TicketJourneyTest {
    private static final String FAILING = """
            {"name": "Failing", "assignment_rules": [
                {"rule_type": "Exception", "assignment_type": "Team", "assignee_id": "%1$s"}],
             "tasks": [{"id": "think", "kind": "AI", "name": "Think", "instructions": "Think.",
                "input_parameters": [{"name": "human_msg", "type": "STRING", "description": "It", "required": true,
                    "source": "system_generated"}],
                "expected_output": [{"name": "answer", "type": "STRING", "description": "It"}]}]}""";

    private static final String ASKING = """
            {"name": "Asking", "assignment_rules": [
                {"rule_type": "Human Feedback", "assignment_type": "Team", "assignee_id": "@team"}],
             "tasks": [{"id": "book", "kind": "AI", "name": "Book", "instructions": "Book.",
                "input_parameters": [{"name": "nights", "type": "INTEGER", "description": "How long",
                    "required": true, "source": "human_input"}],
                "expected_output": [{"name": "nights", "type": "INTEGER", "description": "It"}]}]}""";

    private static final String APPROVAL = """
            {"name": "Approval", "assignment_rules": [
                {"rule_type": "Human Feedback", "assignment_type": "Team", "assignee_id": "%1$s"}],
             "tasks": [{"id": "approve", "kind": "Human", "name": "Approve", "instructions": "Please look.",
                "due_in_minutes": %2$s,
                "expected_output": [{"name": "approved", "type": "BOOLEAN", "description": "Whether"}]}]}""";

    @Inject
    TestOrganizations organizations;

    @Inject
    MailArchive archive;

    private Tenant tenant;
    private TestUser colleague;
    private String team;
    private String key;

    @BeforeEach
    void aTeamOfTwo() {
        tenant = organizations.create();
        key = organizations.key(tenant.id());
        colleague = organizations.testUser();
        organizations.join(tenant.id(), colleague, Role.MEMBER);
        Api owner = tenant.owner().browser();
        team = owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "Support"))
                .send()
                .expect(201)
                .text("/id");
        for (TestUser one : List.of(tenant.member(), colleague)) {
            owner.put(tenant.path() + "/teams/" + team + "/members/" + one.id())
                    .send()
                    .expect(204);
        }
    }

    @Test
    void anExceptionIsRetriedThenSuppliedAndTheTeamNotified() {
        String instance = start(FAILING.formatted(team), "offline:fail No way.");
        assertThat(mailed("[Ticket #1] Exception in Think")).isEqualTo(bothOfTheTeam());
        assertThat(text("[Ticket #1] Exception in Think")).contains("No way.", "Agent: Failing", "Team Support");

        String first = ticket(instance);
        act(tenant.member(), first, "retry", Map.of()).expect(200);
        eventually(
                () -> status(instance),
                now -> now.text("/status").equals("PAUSED")
                        && number(now.text("/tasks/0/ticket_id")).equals("2"));
        assertThat(mailed("#1] retried")).containsExactly(colleague.email());
        assertThat(mailed("[Ticket #2] Exception in Think")).isEqualTo(bothOfTheTeam());
        assertThat(text("[Ticket #2] Exception in Think")).contains("This ticket follows #1, which was retried.");
        assertThat(see(tenant.owner(), ticket(instance)).text("/replaces")).isEqualTo(first);
        assertThat(see(tenant.owner(), first).text("/replaced_by")).isEqualTo(ticket(instance));

        act(colleague, ticket(instance), "complete", Map.of("answer", Map.of("answer", 42)))
                .expect(400);
        act(colleague, ticket(instance), "complete", Map.of("answer", Map.of("answer", "42")))
                .expect(200);
        assertThat(status(instance).text("/status")).isEqualTo("COMPLETED");
        assertThat(status(instance).text("/output/answer")).isEqualTo("42");
        assertThat(mailed("#2] completed")).containsExactly(tenant.member().email());
    }

    @Test
    void aRaisedExceptionFailsTheRunAndNotifiesTheTeam() {
        String instance = start(FAILING.formatted(team), "offline:fail No way.");
        act(tenant.admin(), ticket(instance), "reject", Map.of("reason", "It is so."))
                .expect(200);

        assertThat(status(instance).text("/status")).isEqualTo("FAILED");
        assertThat(mailed("#1] rejected")).isEqualTo(bothOfTheTeam());
        assertThat(text("#1] rejected")).contains("It is so.");
    }

    @Test
    void aWrongAnswerInTheConversationIsAskedForAgain() {
        String workflow = publish(ASKING.replace("@team", String.valueOf(team)));
        String conversation = api().post("/developer/api/conversations")
                .key(key)
                .json(Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow)))
                .send()
                .expect(201)
                .text("/id");
        say(conversation, "A hotel, please");
        assertThat(last(conversation, 2).at("/type").asText()).isEqualTo("INPUT_REQUEST");

        for (String wrong : List.of("many", "{\"nights\": \"many\"}", "{\"nights\": 2.5}")) {
            int before = messages(conversation).size();
            say(conversation, wrong);
            JsonNode again = last(conversation, before + 2);
            assertThat(again.at("/type").asText()).as(wrong).isEqualTo("INPUT_REQUEST");
            assertThat(again.at("/content").asText()).contains("nights");
            assertThat(again.at("/metadata/workflow_instance_status").asText()).isEqualTo("PAUSED");
        }
        int before = messages(conversation).size();
        say(conversation, "3");
        JsonNode done = last(conversation, before + 2);
        assertThat(done.at("/type").asText()).isEqualTo("AGENT_RESPONSE");
        assertThat(done.at("/content").asText()).isEqualTo("3");
    }

    @Test
    void ticketsAreCountedForAMenu() {
        String instance = start(APPROVAL.formatted(team, 60), "");
        start(APPROVAL.formatted(team, 60), "");

        assertThat(count(colleague, "").text("/count")).isEqualTo("2");
        assertThat(count(tenant.admin(), "").text("/count")).isEqualTo("0");
        assertThat(count(tenant.admin(), "?assignee=all").text("/count")).isEqualTo("2");
        act(tenant.member(), ticket(instance), "claim", Map.of()).expect(200);
        assertThat(count(colleague, "?status=OPEN").text("/count")).isEqualTo("1");
        act(tenant.member(), ticket(instance), "complete", Map.of("answer", Map.of("approved", true)))
                .expect(200);
        assertThat(count(colleague, "").json().toString()).isEqualTo("{\"count\":1,\"or_more\":false}");
        count(colleague, "?status=NONE", 400);
        Tenant elsewhere = organizations.create();
        elsewhere.owner().browser().get(tenant.path() + "/tickets/count").send().expect(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "525601", "1.5", "\"soon\"", "[1]", "true", "99999999999999999999"})
    void anInvalidDueDateIsRejected(String minutes) {
        Api.Answer refused = tenant.owner()
                .browser()
                .post(tenant.path() + "/workflows")
                .body("application/json", APPROVAL.formatted(team, minutes))
                .send()
                .expect(400);

        assertThat(refused.text("/errors/0/path")).isEqualTo("/tasks/0/due_in_minutes");
    }

    @Test
    void aTerminationIsRecordedWithWhoAskedForIt() {
        String byPerson = start(APPROVAL.formatted(team, 60), "");
        String closed = ticket(byPerson);
        tenant.owner()
                .browser()
                .post(tenant.path() + "/instances/" + byPerson + "/terminate")
                .send()
                .expect(200);
        String owner = "user:" + tenant.owner().id().text();
        assertThat(logs(byPerson).findValuesAsText("actor")).endsWith(owner);
        JsonNode ticket = see(colleague, closed).expect(200).json();
        assertThat(ticket.at("/status").asText()).isEqualTo("CLOSED");
        assertThat(ticket.at("/history/1/by").asText()).isEqualTo(owner);

        String byKey = start(APPROVAL.formatted(team, 60), "");
        api().post("/developer/api/workflow_instances/" + byKey + "/terminate")
                .key(key)
                .send()
                .expect(200);
        assertThat(logs(byKey).findValuesAsText("actor").getLast()).startsWith("api_key:");
    }

    @Test
    void ofTwoWhoAnswerDifferentlyOneWins() throws Exception {
        String instance = start(APPROVAL.formatted(team, 60), "");
        String ticket = ticket(instance);
        var first = new java.util.concurrent.FutureTask<>(
                () -> act(tenant.member(), ticket, "complete", Map.of("answer", Map.of("approved", true))));
        var second =
                new java.util.concurrent.FutureTask<>(() -> act(colleague, ticket, "reject", Map.of("reason", "No.")));
        Thread.ofVirtual().start(first);
        Thread.ofVirtual().start(second);

        assertThat(List.of(first.get().status(), second.get().status())).containsExactlyInAnyOrder(200, 409);
        boolean completed = first.get().status() == 200;
        assertThat(status(instance).text("/status")).isEqualTo(completed ? "COMPLETED" : "FAILED");
        assertThat(see(colleague, ticket).text("/status")).isEqualTo(completed ? "RESOLVED" : "REJECTED");
    }

    private List<String> bothOfTheTeam() {
        return List.of(tenant.member().email(), colleague.email()).stream()
                .sorted()
                .toList();
    }

    private String start(String document, String message) {
        return api().post("/developer/api/workflows/" + publish(document) + "/trigger/sync")
                .key(key)
                .json(message.isEmpty() ? Map.of() : Map.of("human_msg", message))
                .send()
                .expect(200)
                .text("/workflow_instance_id");
    }

    private String publish(String document) {
        Api owner = tenant.owner().browser();
        String id = owner.post(tenant.path() + "/workflows")
                .body("application/json", document)
                .send()
                .expect(201)
                .text("/id");
        owner.post(tenant.path() + "/workflows/" + id + "/publish").send().expect(200);
        return id;
    }

    private void say(String conversation, String text) {
        api().post("/developer/api/messages")
                .key(key)
                .json(Map.of("conversation_id", conversation, "content_type", "text", "content", text))
                .send()
                .expect(200);
    }

    private JsonNode messages(String conversation) {
        return api().get("/developer/api/conversations/" + conversation + "/messages")
                .key(key)
                .send()
                .expect(200)
                .json();
    }

    private JsonNode last(String conversation, int count) {
        return eventually(() -> messages(conversation), list -> list.size() >= count)
                .get(0);
    }

    private Api.Answer status(String instance) {
        return api().get("/developer/api/workflow_instances/" + instance + "/status")
                .key(key)
                .send()
                .expect(200);
    }

    private JsonNode logs(String instance) {
        return api().get("/developer/api/workflow_instances/" + instance + "/logs")
                .key(key)
                .send()
                .expect(200)
                .json()
                .at("/items");
    }

    private String ticket(String instance) {
        return status(instance).text("/tasks/0/ticket_id");
    }

    private String number(String ticket) {
        return see(tenant.owner(), ticket).expect(200).text("/number");
    }

    private Api.Answer see(TestUser who, String ticket) {
        return who.browser().get(tenant.path() + "/tickets/" + ticket).send();
    }

    private Api.Answer act(TestUser who, String ticket, String action, Object body) {
        return who.browser()
                .post(tenant.path() + "/tickets/" + ticket + "/" + action)
                .json(body)
                .send();
    }

    private Api.Answer count(TestUser who, String query) {
        return count(who, query, 200);
    }

    private Api.Answer count(TestUser who, String query, int status) {
        return who.browser()
                .get(tenant.path() + "/tickets/count" + query)
                .send()
                .expect(status);
    }

    private List<ArchivedEmail> mails(String subject) {
        return archive.list(tenant.id(), MailArchive.MailFilter.ALL, Optional.empty(), 100).stream()
                .filter(mail -> mail.subject().contains(subject))
                .toList();
    }

    /** The recipients of mails with this subject, once per mail. */
    private List<String> mailed(String subject) {
        return mails(subject).stream().map(ArchivedEmail::to).sorted().toList();
    }

    private String text(String subject) {
        return archive.find(tenant.id(), mails(subject).getFirst().id())
                .orElseThrow()
                .text();
    }

    private static Api api() {
        return new Api();
    }
}
