package dev.parley.workflow.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.Role;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.organization.member.TestOrganizations.TestUser;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.store.FormField;
import dev.parley.workflow.ticket.store.NewTicket;
import dev.parley.workflow.ticket.store.TicketAssignee;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Actions on tickets in the dashboard, without the engine that applies answers. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TicketResourceTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    TicketService store;

    @Inject
    Database database;

    private Tenant tenant;
    private TestUser colleague;
    private TicketAssignee team;

    @BeforeEach
    void aTeamOfTwo() {
        tenant = organizations.create();
        colleague = organizations.testUser();
        organizations.join(tenant.id(), colleague, Role.MEMBER);
        team = new TicketAssignee("Team", team(tenant.member(), colleague));
    }

    @Test
    void aTicketIsReadWithAllItsFields() {
        String id = open(Tickets.exception(WorkflowInstanceId.next(), team));

        JsonNode ticket = get(tenant.member(), "/" + id).expect(200).json();

        assertThat(ticket.propertyStream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder(
                        "id",
                        "number",
                        "rule_type",
                        "title",
                        "description",
                        "status",
                        "priority",
                        "assignee",
                        "replaces",
                        "replaced_by",
                        "assignments",
                        "claimed_by",
                        "workflow_id",
                        "workflow_version",
                        "workflow_name",
                        "workflow_instance_id",
                        "conversation_id",
                        "task_id",
                        "task_name",
                        "item",
                        "attempt",
                        "test_run",
                        "exception",
                        "reason",
                        "due_at",
                        "created_at",
                        "updated_at",
                        "resolved_at",
                        "resolved_by",
                        "tool_call",
                        "form",
                        "inputs",
                        "answer",
                        "history");
        assertThat(ticket.at("/id").asText()).isEqualTo(id).matches("[0-9a-f]{32}");
        assertThat(ticket.at("/assignments/0/assignee_id").asText()).isEqualTo(team.assigneeId());
        assertThat(ticket.at("/assignee")).isEqualTo(ticket.at("/assignments/0"));
        assertThat(ticket.at("/exception/error").asText()).isEqualTo("Tool failed");
        assertThat(ticket.at("/form").toString())
                .isEqualTo("[{\"name\":\"total\",\"kind\":\"output\",\"type\":\"INTEGER\",\"description\":\"The sum\","
                        + "\"required\":true}]");
        assertThat(ticket.at("/created_at").asText()).endsWith("Z");
        assertThat(ticket.at("/history/0/change").asText()).isEqualTo("created");
    }

    @Test
    void theAssigneeIsTheFirstOfTheAssignments() {
        TicketAssignee self = new TicketAssignee("User", tenant.member().id().text());
        String both = open(Tickets.approval(WorkflowInstanceId.next(), self, team));
        String nobodys = open(Tickets.approval(WorkflowInstanceId.next()));

        assertThat(get(tenant.member(), "").expect(200).json().at("/items/0/assignee"))
                .isEqualTo(get(tenant.member(), "/" + both).expect(200).json().at("/assignments/0"));
        assertThat(get(tenant.member(), "/" + both).text("/assignee/assignment_type"))
                .isEqualTo("User");
        JsonNode without = get(tenant.admin(), "/" + nobodys).expect(200).json();
        assertThat(without.get("assignee").isNull()).isTrue();
        assertThat(without.get("assignments")).isEmpty();
    }

    @Test
    void theDocumentDescribesATicketAsItIsAnswered() {
        JsonNode schemas = new Api()
                .get("/openapi/dashboard.json")
                .send()
                .expect(200)
                .json()
                .at("/components/schemas");
        JsonNode ticket = get(tenant.admin(), "/" + open(Tickets.approval(WorkflowInstanceId.next(), team)))
                .expect(200)
                .json();

        assertThat(schemas.at("/TicketDetails/properties").propertyStream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrderElementsOf(
                        ticket.propertyStream().map(Map.Entry::getKey).toList());
    }

    @Test
    void oneClaimsAndTheOtherGetsAConflictUntilItIsReleased() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));

        Api.Answer claimed = act(tenant.member(), id, "claim").expect(200);
        assertThat(claimed.text("/status")).isEqualTo("IN_PROGRESS");
        assertThat(claimed.text("/claimed_by")).isEqualTo(tenant.member().id().text());
        act(tenant.member(), id, "claim").expect(200);
        Api.Answer refused = act(colleague, id, "claim").expect(409);
        assertThat(refused.text("/status")).isEqualTo("IN_PROGRESS");
        act(colleague, id, "release").expect(409);
        act(
                        colleague,
                        id,
                        "reassign",
                        Map.of(
                                "assignment_type",
                                "User",
                                "assignee_id",
                                colleague.id().text()))
                .expect(409);
        act(colleague, id, "reject", Map.of("reason", "No.")).expect(409);
        act(tenant.admin(), id, "release").expect(200);
        assertThat(act(colleague, id, "claim").expect(200).text("/history/3/by"))
                .isEqualTo("user:" + colleague.id().text());
        assertThat(act(colleague, id, "release").expect(200).text("/status")).isEqualTo("OPEN");
        assertThat(act(colleague, id, "release").expect(409).text("/status")).isEqualTo("OPEN");
    }

    @Test
    void anAdminTakesOverAClaimedTicketInOneStep() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));
        act(tenant.member(), id, "claim").expect(200);

        act(colleague, id, "take-over").expect(409);
        Api.Answer taken = act(tenant.admin(), id, "take-over").expect(200);
        assertThat(taken.text("/claimed_by")).isEqualTo(tenant.admin().id().text());
        assertThat(taken.text("/history/2/change")).isEqualTo("taken_over");
        assertThat(act(tenant.admin(), id, "take-over").expect(200).json().at("/history"))
                .as("no change")
                .hasSize(3);
        act(tenant.member(), id, "reject", Map.of("reason", "No.")).expect(409);
    }

    @Test
    void unassignedMembersGet403AndNonMembers404() {
        TestUser other = organizations.testUser();
        organizations.join(tenant.id(), other, Role.MEMBER);
        TestUser stranger = organizations.create().owner();
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));

        for (Map.Entry<TestUser, Integer> one :
                Map.of(other, 403, stranger, 404).entrySet()) {
            TestUser nobody = one.getKey();
            int status = one.getValue();
            get(nobody, "/" + id).expect(status);
            for (String action : List.of("claim", "take-over", "release", "retry")) {
                act(nobody, id, action).expect(status);
            }
            for (String action : List.of("reassign", "comment", "complete", "reject")) {
                act(nobody, id, action, Map.of()).expect(status);
            }
        }
        get(other, "/" + TicketId.next()).expect(404);
        assertThat(ids(get(other, "").expect(200))).isEmpty();
        get(stranger, "").expect(404);
        get(tenant.owner(), "/" + id).expect(200);
        get(tenant.admin(), "/" + id).expect(200);
        get(tenant.admin(), "/" + TicketId.next()).expect(404);
        get(tenant.admin(), "/nonsense").expect(404);
        Tenant elsewhere = organizations.create();
        elsewhere
                .owner()
                .browser()
                .get(elsewhere.path() + "/tickets/" + id)
                .send()
                .expect(404);
        Api.dashboard().get(tenant.path() + "/tickets/" + id).send().expect(401);
    }

    @Test
    void aReassignedTicketMovesFromOneInboxToTheOther() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));
        act(tenant.member(), id, "claim").expect(200);

        Api.Answer moved = act(
                        tenant.member(),
                        id,
                        "reassign",
                        Map.of(
                                "assignment_type",
                                "User",
                                "assignee_id",
                                colleague.id().value().toString()))
                .expect(200);

        assertThat(moved.text("/status")).isEqualTo("OPEN");
        assertThat(moved.json().at("/claimed_by").isNull()).isTrue();
        assertThat(moved.text("/assignments/0/assignee_id"))
                .isEqualTo(colleague.id().text());
        assertThat(moved.text("/assignee/assignee_id")).isEqualTo(colleague.id().text());
        get(tenant.member(), "/" + id).expect(403);
        assertThat(ids(get(colleague, "?assignee=me").expect(200))).containsExactly(id);
        assertThat(ids(get(colleague, "?assignee=team").expect(200))).isEmpty();
        act(colleague, id, "reassign", Map.of("assignment_type", "Team", "assignee_id", team.assigneeId()))
                .expect(200);
        assertThat(ids(get(tenant.member(), "?assignee=team&status=OPEN").expect(200)))
                .containsExactly(id);
    }

    @ParameterizedTest
    @CsvSource({
        "User, 0192f0c17a3b7c4d8e5f60718293a4b5, /assignee_id",
        "User, 7, /assignee_id",
        "Team, 99, /assignee_id",
        "Team, x, /assignee_id",
        "Team, 99999999999, /assignee_id",
        "Robot, 1, /assignment_type",
        "'', 1, /assignment_type"
    })
    void anAssigneeMustExistInTheOrganization(String type, String id, String path) {
        String ticket = open(Tickets.approval(WorkflowInstanceId.next(), team));

        Api.Answer refused = act(tenant.admin(), ticket, "reassign", Map.of("assignment_type", type, "assignee_id", id))
                .expect(400);

        assertThat(refused.text("/errors/0/path")).isEqualTo(path);
        assertThat(get(tenant.admin(), "/" + ticket).json().at("/history")).hasSize(1);
    }

    @Test
    void anAssigneeOfAnotherOrganizationIsUnknown() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));
        UserId foreign = organizations.create().owner().id();

        act(tenant.admin(), id, "reassign", Map.of("assignment_type", "User", "assignee_id", foreign.text()))
                .expect(400);
    }

    @Test
    void aCommentIsAddedToTheHistory() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));

        Api.Answer commented =
                act(colleague, id, "comment", Map.of("text", "Who knows?")).expect(200);

        assertThat(commented.text("/history/1/change")).isEqualTo("commented");
        assertThat(commented.text("/history/1/detail")).isEqualTo("Who knows?");
        assertThat(commented.text("/history/1/by"))
                .isEqualTo("user:" + colleague.id().text());
        for (Object body : List.of(
                Map.of(),
                Map.of("text", ""),
                Map.of("text", "  "),
                Map.of("text", "x".repeat(10_001)),
                Map.of("text", 1))) {
            assertThat(act(colleague, id, "comment", body).expect(400).text("/errors/0/path"))
                    .isEqualTo("/text");
        }
        act(colleague, id, "comment", Map.of("text", "x", "more", 1)).expect(400);
    }

    @Test
    void aCommentMentionsMembersWhoSeeTheTicket() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String member = tenant.member().id().text();
        String admin = tenant.admin().id().text();

        Api.Answer commented = act(
                        colleague,
                        id,
                        "comment",
                        Map.of("text", "@Ada, @Bob?", "mentions", List.of(admin, member, admin)))
                .expect(200);

        assertThat(commented.json().at("/history/0/mentions")).isEmpty();
        assertThat(commented.json().at("/history/1/mentions").valueStream().map(JsonNode::asText))
                .containsExactly(admin, member);
        TestUser other = organizations.testUser();
        organizations.join(tenant.id(), other, Role.MEMBER);
        TestUser stranger = organizations.testUser();
        for (Object mention : List.of(other.id().text(), stranger.id().text(), "Ada", 7)) {
            assertThat(act(colleague, id, "comment", Map.of("text", "x", "mentions", List.of(admin, mention)))
                            .expect(400)
                            .text("/errors/0/path"))
                    .isEqualTo("/mentions/1");
        }
        for (Object mentions : List.of(Collections.nCopies(21, admin), admin)) {
            assertThat(act(colleague, id, "comment", Map.of("text", "x", "mentions", mentions))
                            .expect(400)
                            .text("/errors/0/path"))
                    .isEqualTo("/mentions");
        }
        assertThat(get(colleague, "/" + id).json().at("/history")).hasSize(2);
    }

    @Test
    void anAnswerThatDoesNotSuitIsRefusedByItsFields() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));

        JsonNode errors = act(
                        tenant.member(),
                        id,
                        "complete",
                        Map.of("answer", Map.of("approved", "maybe", "comment/s", "x")))
                .expect(400)
                .json()
                .at("/errors");

        assertThat(errors.valueStream().map(error -> error.at("/path").asText()))
                .containsExactly("/answer/approved", "/answer/amount", "/answer/comment~1s");
        assertThat(errors.valueStream().map(error -> error.at("/error").asText()))
                .containsExactly("Invalid Type", "Missing Required Field", "Unknown Field");
        act(tenant.member(), id, "complete", Map.of("answer", "yes")).expect(400);
        assertThat(get(tenant.member(), "/" + id).text("/status")).isEqualTo("OPEN");
    }

    @Test
    void anAnswerMayOmitOptionalValues() {
        List<FormField> form = Tickets.question(WorkflowInstanceId.next(), team).form();

        assertThat(FormField.check(form, Map.of("city", "Oslo"))).isEqualTo(Map.of("city", "Oslo"));
        assertThat(FormField.check(form, Map.of("city", "Oslo", "days", "3")))
                .isEqualTo(Map.of("city", "Oslo", "days", 3L));
    }

    @Test
    void aRejectionNeedsAReason() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));

        for (Object body : List.of(Map.of(), Map.of("reason", " "), Map.of("reason", "x".repeat(2_001)))) {
            assertThat(act(tenant.member(), id, "reject", body).expect(400).text("/errors/0/path"))
                    .isEqualTo("/reason");
        }
    }

    @Test
    void onlyAnExceptionIsRetried() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));

        assertThat(act(tenant.member(), id, "retry").expect(409).text("/status"))
                .isEqualTo("OPEN");
    }

    @Test
    void aTicketThatHasEndedIsLeftAlone() {
        WorkflowInstanceId instance = WorkflowInstanceId.next();
        String id = open(Tickets.approval(instance, team));
        end(instance, "approve", 1, TicketEnd.CANCELLED);

        for (String action : List.of("claim", "release", "retry")) {
            assertThat(act(tenant.member(), id, action).expect(409).text("/status"))
                    .isEqualTo("CLOSED");
        }
        Map<String, Object> bodies = Map.of(
                "reassign", Map.of("assignment_type", "Team", "assignee_id", team.assigneeId()),
                "complete", Map.of("answer", Map.of("approved", true, "amount", 1)),
                "reject", Map.of("reason", "Late"));
        bodies.forEach((action, body) -> assertThat(
                        act(tenant.member(), id, action, body).expect(409).text("/status"))
                .isEqualTo("CLOSED"));
        Api.Answer commented = act(tenant.member(), id, "comment", Map.of("text", "For the record"))
                .expect(200);
        assertThat(commented.text("/status")).isEqualTo("CLOSED");
        assertThat(commented.text("/history/2/detail")).isEqualTo("For the record");
    }

    @Test
    void aFormerTeamMemberNoLongerSeesClaimedTickets() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));
        act(colleague, id, "claim").expect(200);
        tenant.owner()
                .browser()
                .delete(tenant.path() + "/teams/" + team.assigneeId() + "/members/" + colleague.id())
                .send()
                .expect(204);

        assertThat(ids(get(colleague, "?assignee=me"))).isEmpty();
        act(colleague, id, "release").expect(403);
        act(tenant.owner(), id, "release").expect(200);
    }

    private static List<String> ids(Api.Answer page) {
        return page.expect(200)
                .json()
                .at("/items")
                .valueStream()
                .map(item -> item.at("/id").asText())
                .toList();
    }

    private Api.Answer get(TestUser who, String rest) {
        return who.browser().get(tenant.path() + "/tickets" + rest).send();
    }

    private Api.Answer act(TestUser who, String ticket, String action) {
        return who.browser()
                .post(tenant.path() + "/tickets/" + ticket + "/" + action)
                .send();
    }

    private Api.Answer act(TestUser who, String ticket, String action, Object body) {
        return who.browser()
                .post(tenant.path() + "/tickets/" + ticket + "/" + action)
                .json(body)
                .send();
    }

    private String open(NewTicket ticket) {
        return database.transaction(
                        () -> store.open(tenant.id(), ticket, Instant.now()).id())
                .text();
    }

    private void end(WorkflowInstanceId instance, String task, int attempt, TicketEnd end) {
        database.change(_ -> store.close(
                tenant.id(),
                instance,
                new TaskId(task),
                attempt,
                end,
                "system",
                null,
                "Cancelled",
                null,
                Instant.now()));
    }

    private String team(TestUser... members) {
        Api owner = tenant.owner().browser();
        String id = owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "Accounting"))
                .send()
                .expect(201)
                .text("/id");
        for (TestUser member : members) {
            owner.put(tenant.path() + "/teams/" + id + "/members/" + member.id())
                    .send()
                    .expect(204);
        }
        return id;
    }
}
