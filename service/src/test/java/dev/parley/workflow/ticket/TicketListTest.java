package dev.parley.workflow.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.Role;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.organization.member.TestOrganizations.TestUser;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.store.NewTicket;
import dev.parley.workflow.ticket.store.TicketAssignee;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of tickets in the dashboard, and actions on several at once. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TicketListTest {
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
    void anEmailAboutATicketHasItsNumber() {
        String id = open(Tickets.approval(
                WorkflowInstanceId.next(),
                new TicketAssignee("User", tenant.member().id().text())));

        JsonNode mail = tenant.admin()
                .browser()
                .get(tenant.path() + "/email-summaries?kind=ticket")
                .send()
                .expect(200)
                .json()
                .at("/items/0");

        assertThat(mail.get("ticket_id").asText()).isEqualTo(id);
        assertThat(mail.get("ticket_number").asInt()).isEqualTo(1);
    }

    @Test
    void inboxesAreFilteredAndPagedNewestFirst() {
        TestUser me = tenant.member();
        TicketAssignee self = new TicketAssignee("User", me.id().text());
        List<String> mine = new ArrayList<>();
        List<String> teams = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            mine.addFirst(open(Tickets.approval(WorkflowInstanceId.next(), self)));
            teams.addFirst(open(Tickets.exception(WorkflowInstanceId.next(), team)));
        }
        String both = open(Tickets.approval(WorkflowInstanceId.next(), team, self));
        String others = open(Tickets.approval(
                WorkflowInstanceId.next(),
                new TicketAssignee("User", tenant.owner().id().text())));
        act(me, teams.get(1), "claim").expect(200);

        assertThat(ids(get(me, "?assignee=me")))
                .containsExactly(both, mine.get(0), teams.get(1), mine.get(1), mine.get(2));
        assertThat(ids(get(me, "?assignee=team"))).containsExactly(both, teams.get(0), teams.get(1), teams.get(2));
        assertThat(ids(get(me, "")))
                .containsExactly(both, teams.get(0), mine.get(0), teams.get(1), mine.get(1), teams.get(2), mine.get(2));
        assertThat(ids(get(me, "?assignee=all&status=IN_PROGRESS,RESOLVED"))).containsExactly(teams.get(1));
        assertThat(ids(get(tenant.admin(), "?limit=2"))).containsExactly(others, both);
        assertThat(ids(get(tenant.admin(), "?assignee=me"))).isEmpty();
        assertThat(paged(me, "?limit=3")).isEqualTo(ids(get(me, "")));
        assertThat(paged(tenant.owner(), "?limit=3&status=OPEN")).hasSize(7).doesNotContain(teams.get(1));
    }

    @ParameterizedTest
    @CsvSource({
        "?status=DONE, status",
        "'?status=OPEN,', status",
        "?assignee=you, assignee",
        "?sort=size, sort",
        "?overdue=maybe, overdue",
        "?available=1, available",
        "?test_run=no, test_run",
        "?workflow_id=x, workflow_id",
        "?team_id=x, team_id",
        "?sort=due&after=0192f0c17a3b7c4d8e5f60718293a4b5, after",
        "?sort=due&after=infinity_0192f0c17a3b7c4d8e5f60718293a4b5, after",
        "?sort=resolved&after=infinity_0192f0c17a3b7c4d8e5f60718293a4b5, after",
        "?sort=priority&after=2_0192f0c17a3b7c4d8e5f60718293a4b5, after",
        "?sort=updated&after=2026-13-01T00:00:00Z_0192f0c17a3b7c4d8e5f60718293a4b5, after",
        "?limit=0, limit",
        "?after=x, after"
    })
    void aWrongFilterIsNamed(String query, String name) {
        assertThat(get(tenant.member(), query).expect(400).text("/errors/0/detail"))
                .startsWith("'" + name + "'");
    }

    @Test
    void mineIsWhatIsAssignedToTheUserOrTheTeamsOrClaimed() {
        TicketAssignee owner = new TicketAssignee("User", tenant.owner().id().text());
        String teams = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String owners = open(Tickets.approval(WorkflowInstanceId.next(), owner));

        assertThat(ids(get(colleague, "?assignee=mine"))).containsExactly(teams);
        assertThat(ids(get(tenant.owner(), "?assignee=mine"))).containsExactly(owners);
        act(tenant.owner(), teams, "claim").expect(200);
        assertThat(ids(get(tenant.owner(), "?assignee=mine"))).containsExactly(owners, teams);
        assertThat(get(tenant.owner(), "/count").text("/count")).isEqualTo("2");
    }

    @Test
    void aTeamsTicketsAreListedForItsMembersAndForAdmins() {
        TicketAssignee other = new TicketAssignee("Team", team(tenant.member()));
        String teams = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String others = open(Tickets.approval(WorkflowInstanceId.next(), other));
        act(tenant.member(), others, "claim").expect(200);
        String byTeam = "?team_id=" + team.assigneeId();

        assertThat(ids(get(tenant.member(), byTeam + "&assignee=mine"))).containsExactly(teams);
        assertThat(ids(get(tenant.member(), byTeam + "&assignee=me"))).isEmpty();
        act(tenant.member(), teams, "claim").expect(200);
        assertThat(ids(get(tenant.member(), byTeam + "&assignee=me"))).containsExactly(teams);
        assertThat(get(tenant.member(), "/count" + byTeam + "&assignee=me").text("/count"))
                .isEqualTo("1");
        assertThat(ids(get(tenant.member(), "?assignee=team&team_id=" + other.assigneeId())))
                .containsExactly(others);
        assertThat(ids(get(colleague, "?team_id=" + other.assigneeId()))).isEmpty();
        assertThat(ids(get(tenant.admin(), byTeam))).containsExactly(teams);
        assertThat(ids(get(tenant.admin(), byTeam + "&assignee=mine"))).isEmpty();
        String number = get(tenant.admin(), "/" + others).text("/number");
        assertThat(ids(get(tenant.admin(), byTeam + "&search=%23" + number))).isEmpty();
        assertThat(get(tenant.admin(), "/count" + byTeam + "&assignee=all").text("/count"))
                .isEqualTo("1");
    }

    @Test
    void ticketsAreFoundByTheirInputsNumberAndAgent() {
        Instant soon = Instant.now().plusSeconds(60);
        String acme = open(Tickets.invoice("ACME  Büro\u0000\nGraz", soon, team));
        String zenith = open(Tickets.invoice("Zenith 100 %_", soon, team));
        String failed = open(Tickets.exception(WorkflowInstanceId.next(), team));
        TestUser me = tenant.member();

        JsonNode found = get(me, "?search=b%C3%BCRO%20acme").expect(200).json().at("/items");
        assertThat(found).hasSize(1);
        assertThat(found.at("/0/id").asText()).isEqualTo(acme);
        assertThat(found.at("/0/input_preview").asText()).isEqualTo("supplier: ACME Büro Graz · scan: scan_7.pdf");
        assertThat(found.at("/0").has("inputs")).isFalse();
        assertThat(ids(get(me, "?search=%25_"))).containsExactly(zenith);
        assertThat(ids(get(me, "?search=%23" + get(me, "/" + failed).text("/number"))))
                .containsExactly(failed);
        assertThat(ids(get(me, "?search=ANSWERED%20500"))).containsExactly(failed);
        assertThat(ids(get(me, "?search=invoice%20approval&limit=2"))).containsExactly(failed, zenith);
        assertThat(ids(get(me, "?search=%00"))).hasSize(3);
        String agent = get(me, "/" + zenith).text("/workflow_id");
        assertThat(ids(get(me, "?workflow_id=" + agent))).containsExactly(zenith);
        get(me, "?search=" + "x".repeat(201)).expect(400);
    }

    @Test
    void aNumberAfterItsSignFindsThatTicketOnly() {
        Instant soon = Instant.now().plusSeconds(60);
        String first = open(Tickets.invoice("ACME", soon, team));
        TestUser me = tenant.member();
        String number = get(me, "/" + first).text("/number");
        String second = open(Tickets.invoice("Refers to #" + number, soon, team));

        assertThat(ids(get(me, "?search=%23" + number))).containsExactly(first);
        assertThat(ids(get(me, "?search=" + number))).contains(first, second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "owner"})
    void ticketsAreSortedOnAllPages(String role) {
        TestUser me = role.equals("owner") ? tenant.owner() : tenant.member();
        Instant now = Instant.now();
        String late = open(Tickets.invoice("Late", now.minusSeconds(60), team));
        String none = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String urgent = open(Tickets.exception(WorkflowInstanceId.next(), team));
        String later = open(Tickets.invoice("Later", now.plusSeconds(7200), team));
        String soon = open(Tickets.invoice("Soon", now.plusSeconds(60), team));
        act(tenant.member(), none, "comment", Map.of("text", "Mine!")).expect(200);

        assertThat(paged(me, "?limit=2&sort=created")).containsExactly(soon, later, urgent, none, late);
        assertThat(paged(me, "?limit=2&sort=oldest")).containsExactly(late, none, urgent, later, soon);
        assertThat(paged(me, "?limit=2&sort=due")).containsExactly(late, soon, later, urgent, none);
        assertThat(paged(me, "?limit=2&sort=priority")).containsExactly(urgent, soon, later, none, late);
        assertThat(paged(me, "?limit=2&sort=updated")).containsExactly(none, soon, later, urgent, late);
        assertThat(ids(get(me, "?overdue=true"))).containsExactly(late);
        assertThat(get(me, "/count?assignee=all&overdue=true").text("/count")).isEqualTo("1");
        assertThat(get(me, "/count?assignee=all&search=Late").text("/count")).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "owner"})
    void doneTicketsAreSortedByTheirEnd(String role) {
        TestUser me = role.equals("owner") ? tenant.owner() : tenant.member();
        List<WorkflowInstanceId> runs =
                Stream.generate(WorkflowInstanceId::next).limit(4).toList();
        List<String> tickets =
                runs.stream().map(run -> open(Tickets.exception(run, team))).toList();
        String by = "user:" + colleague.id().text();
        Instant at = Instant.now();
        close(runs.get(1), TicketEnd.COMPLETED, "system", Map.of(), at);
        close(runs.get(3), TicketEnd.COMPLETED, "system", Map.of(), at);
        close(runs.get(0), TicketEnd.RETRIED, by, null, at.plusSeconds(1));

        assertThat(paged(me, "?limit=1&sort=resolved"))
                .containsExactly(tickets.get(0), tickets.get(3), tickets.get(1), tickets.get(2));
        JsonNode items =
                get(me, "?sort=resolved&status=RESOLVED").expect(200).json().at("/items");
        assertThat(items).hasSize(3);
        assertThat(items.at("/0/resolved_by").asText()).isEqualTo(by);
        assertThat(items.at("/0/retried").asBoolean()).isTrue();
        assertThat(items.at("/0/replaced_by_number").isNull()).isTrue();
        assertThat(items.at("/1/retried").asBoolean()).isFalse();
        assertThat(items.at("/1/resolved_by").asText()).isEqualTo("system");

        String next = open(Tickets.exception(runs.get(0), 5, team));
        JsonNode retried = get(me, "?sort=resolved&status=RESOLVED").json().at("/items/0");
        assertThat(retried.at("/replaced_by").asText()).isEqualTo(next);
        assertThat(retried.at("/replaced_by_number").asText())
                .isEqualTo(get(me, "/" + next).text("/number"));
    }

    @Test
    void availableTicketsAreThoseThatNobodyElseHasClaimed() {
        String free = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String mine = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String others = open(Tickets.approval(WorkflowInstanceId.next(), team));
        act(tenant.member(), mine, "claim", Map.of()).expect(200);
        act(colleague, others, "claim", Map.of()).expect(200);

        assertThat(ids(get(tenant.member(), "?assignee=mine&available=true"))).containsExactly(mine, free);
        assertThat(get(tenant.member(), "/count?available=true").text("/count")).isEqualTo("2");
        assertThat(get(tenant.member(), "/count").text("/count")).isEqualTo("3");
        assertThat(get(tenant.member(), "/count?available=true&test_run=false").text("/count"))
                .isEqualTo("2");
        assertThat(get(tenant.member(), "/count?test_run=true").text("/count")).isEqualTo("0");
    }

    @Test
    void severalTicketsAreClaimedAndReassignedWithAResultForEach() {
        String mine = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String claimed = open(Tickets.approval(WorkflowInstanceId.next(), team));
        String others = open(Tickets.approval(
                WorkflowInstanceId.next(),
                new TicketAssignee("User", tenant.owner().id().text())));
        String foreign = TicketId.next().text();
        act(colleague, claimed, "claim").expect(200);

        JsonNode results = bulk(
                        tenant.member(), "claim", Map.of("ticket_ids", List.of(mine, claimed, others, foreign, mine)))
                .expect(200)
                .json()
                .at("/results");
        assertThat(results.valueStream().map(one -> one.at("/ticket_id").asText()))
                .containsExactly(mine, claimed, others, foreign);
        assertThat(results.valueStream().map(one -> one.at("/error").asText("")))
                .containsExactly("", "Conflict", "Forbidden", "Not found");
        assertThat(get(colleague, "/" + mine).text("/claimed_by"))
                .isEqualTo(tenant.member().id().text());
        String to = colleague.id().text();
        JsonNode moved = bulk(
                        tenant.member(),
                        "reassign",
                        Map.of("ticket_ids", List.of(mine, claimed), "assignment_type", "User", "assignee_id", to))
                .expect(200)
                .json()
                .at("/results");
        assertThat(moved.valueStream().map(one -> one.at("/succeeded").asBoolean()))
                .containsExactly(true, false);
        assertThat(get(colleague, "/" + mine).text("/assignee/assignee_id")).isEqualTo(to);
        String teamName = tenant.owner()
                .browser()
                .get(tenant.path() + "/teams/" + team.assigneeId())
                .send()
                .expect(200)
                .text("/name");
        assertThat(loggedChanges("claim", mine))
                .containsExactly("status: OPEN, IN_PROGRESS", "claimed_by: null, " + name(tenant.member()));
        assertThat(loggedChanges("reassign", mine))
                .containsExactlyInAnyOrder(
                        "status: IN_PROGRESS, OPEN",
                        "claimed_by: " + name(tenant.member()) + ", null",
                        "assignees: " + teamName + ", " + name(colleague));
        JsonNode released = bulk(colleague, "release", Map.of("ticket_ids", List.of(claimed, mine)))
                .expect(200)
                .json()
                .at("/results");
        assertThat(released.valueStream().map(one -> one.at("/detail").asText("")))
                .containsExactly("", "Nobody has claimed the ticket.");
        assertThat(get(colleague, "/" + claimed).text("/status")).isEqualTo("OPEN");
    }

    @Test
    void anInvalidBulkRequestChangesNothing() {
        String id = open(Tickets.approval(WorkflowInstanceId.next(), team));
        for (Map.Entry<Object, String> one : Map.<Object, String>of(
                        Map.of(), "/ticket_ids",
                        Map.of("ticket_ids", List.of()), "/ticket_ids",
                        Map.of("ticket_ids", Collections.nCopies(101, id)), "/ticket_ids",
                        Map.of("ticket_ids", List.of(id, "x")), "/ticket_ids/1")
                .entrySet()) {
            assertThat(bulk(tenant.member(), "claim", one.getKey()).expect(400).text("/errors/0/path"))
                    .isEqualTo(one.getValue());
        }
        assertThat(bulk(
                                tenant.member(),
                                "reassign",
                                Map.of("ticket_ids", List.of(id), "assignment_type", "Team", "assignee_id", "99"))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/assignee_id");
        assertThat(bulk(tenant.member(), "reject", Map.of("ticket_ids", List.of(id), "reason", " "))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/reason");
        bulk(organizations.create().owner(), "claim", Map.of("ticket_ids", List.of(id)))
                .expect(404);
        assertThat(get(tenant.member(), "/" + id).text("/status")).isEqualTo("OPEN");
    }

    private List<String> loggedChanges(String action, String ticket) {
        JsonNode items = tenant.owner()
                .browser()
                .get(tenant.path() + "/audit-log?action=tickets." + action + "&target=" + ticket)
                .send()
                .expect(200)
                .json()
                .get("items");
        assertThat(items).hasSize(1);
        return items.at("/0/changes")
                .valueStream()
                .map(change -> change.get("field").asText() + ": "
                        + change.get("before").asText() + ", "
                        + change.get("after").asText())
                .toList();
    }

    private String name(TestUser user) {
        return tenant.owner()
                .browser()
                .get(tenant.path() + "/members")
                .send()
                .expect(200)
                .json()
                .get("items")
                .valueStream()
                .filter(member -> member.get("id").asText().equals(user.id().text()))
                .map(member -> member.get("name").asText())
                .findFirst()
                .orElseThrow();
    }

    private Api.Answer bulk(TestUser who, String action, Object body) {
        return who.browser()
                .post(tenant.path() + "/tickets/" + action)
                .json(body)
                .send();
    }

    private List<String> paged(TestUser who, String query) {
        List<String> all = new ArrayList<>();
        String next = "";
        do {
            Api.Answer page = get(who, query + next).expect(200);
            all.addAll(ids(page));
            next = page.json().at("/next").isNull() ? "" : "&after=" + page.text("/next");
        } while (!next.isEmpty());
        return all;
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

    private void close(
            WorkflowInstanceId run,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            Instant at) {
        database.change(_ -> store.close(tenant.id(), run, new TaskId("extract"), 4, end, by, answer, null, null, at));
    }

    private String open(NewTicket ticket) {
        return database.transaction(
                        () -> store.open(tenant.id(), ticket, Instant.now()).id())
                .text();
    }

    private String team(TestUser... members) {
        Api owner = tenant.owner().browser();
        String id = owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "Team " + System.nanoTime()))
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
