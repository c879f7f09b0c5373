package dev.parley.workflow.instance;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.mail.MailState;
import dev.parley.mail.archive.ArchivedEmail;
import dev.parley.mail.archive.MailArchive;
import dev.parley.organization.team.Teams;
import dev.parley.workflow.instance.api.TicketAnswers;
import dev.parley.workflow.ticket.TicketInbox;
import dev.parley.workflow.ticket.TicketService;
import dev.parley.workflow.ticket.TicketSort;
import dev.parley.workflow.ticket.mail.TicketReminderJob;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketFilter;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mails of tickets end to end, up to the outbox. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TicketMailTest {
    private Tenant tenant;
    private TicketActor owner;

    @BeforeEach
    void create() {
        tenant = Tenant.create();
        owner = new TicketActor(tenant.owner(), true, Set.of());
    }

    @AfterEach
    void resetClock() {
        Tenant.bean(TestClock.class).reset();
    }

    @Test
    void theAssigneesMailHasTheTaskAndALink() {
        start(Workflows.of(tenant)
                .task(
                        "approve",
                        Map.of(
                                "kind",
                                "Human",
                                "name",
                                "Approve <b>it</b>",
                                "instructions",
                                "Look & <script>decide</script>.",
                                "expected_output",
                                List.of(Workflows.output("approved", "BOOLEAN"))))
                .publish());
        Ticket ticket = ticket();
        ArchivedEmail mail = mails().getFirst();
        assertThat(mail.subject()).isEqualTo("[Ticket #1] Approve <b>it</b>");
        assertThat(mail.to()).isEqualTo(tenant.owner().text() + "@test.example");
        assertThat(mail.state()).isEqualTo(MailState.KEPT);
        MailArchive.ArchivedContent content = content(mail);
        String link = "/organizations/" + tenant.organization().text() + "/tickets/"
                + ticket.id().text();
        assertThat(content.text())
                .contains("#1", "Approve <b>it</b>", "Look & <script>decide</script>.")
                .contains("Agent: Test", "Assigned to: Owner", "http://localhost", link)
                .doesNotContain("Task:", "Priority:", "ID:");
        assertThat(content.text().replace(link, "")).doesNotContain(ticket.id().text());
        assertThat(content.html())
                .contains("Approve &lt;b&gt;it&lt;/b&gt;", "Look &amp; &lt;script&gt;", link + "\"")
                .doesNotContain("<b>", "<script>");
    }

    @Test
    void everyCurrentTeamMemberButTheOneWhoActedGetsOneMail() {
        Teams teams = Tenant.bean(Teams.class);
        int team = teams.create(tenant.organization(), "Support").id();
        UserId ada = member("Ada");
        UserId bob = member("Bob");
        UserId gone = member("Gone");
        List.of(ada, bob, gone).forEach(one -> teams.addMember(tenant.organization(), team, one));
        start(Workflows.of(tenant).human("approve").publish());
        TicketService store = Tenant.bean(TicketService.class);
        Ticket ticket = ticket();
        store.reassign(tenant.organization(), ticket.id(), owner, new TicketAssignee("Team", String.valueOf(team)));
        assertThat(recipients("Ticket #1] reassigned"))
                .containsExactlyInAnyOrder(address(ada), address(bob), address(gone));
        database().change(handle -> handle.execute("DELETE FROM membership WHERE user_id = ?", gone.value()));
        var adaActs = new TicketActor(ada, false, Set.of(team));
        store.claim(tenant.organization(), ticket.id(), adaActs);
        store.claim(tenant.organization(), ticket.id(), adaActs);
        assertThat(recipients("Ticket #1] claimed")).containsExactly(address(bob));
        store.comment(
                tenant.organization(),
                ticket.id(),
                new TicketActor(bob, false, Set.of(team)),
                "Is <it> good?",
                List.of());
        assertThat(recipients("Ticket #1] commented on")).containsExactly(address(ada));
        MailArchive.ArchivedContent comment = content(mails().getFirst());
        assertThat(comment.text())
                .contains("Bob commented on this ticket.", "Is <it> good?", "Claimed by: Ada", "Team Support");
        assertThat(comment.html()).contains("Is &lt;it&gt; good?");
    }

    @Test
    void aKindThatAPersonTurnedOffIsNotSentToThatPerson() {
        Teams teams = Tenant.bean(Teams.class);
        int team = teams.create(tenant.organization(), "Support").id();
        UserId ada = member("Ada");
        UserId bob = member("Bob");
        List.of(ada, bob).forEach(one -> teams.addMember(tenant.organization(), team, one));
        start(due(60));
        TicketService store = Tenant.bean(TicketService.class);
        Ticket ticket = ticket();
        turnOff(ada, "new_tickets");
        store.reassign(tenant.organization(), ticket.id(), owner, new TicketAssignee("Team", String.valueOf(team)));
        assertThat(recipients("reassigned")).containsExactly(address(bob));
        turnOff(bob, "comments");
        store.comment(tenant.organization(), ticket.id(), owner, "Is it good?", List.of());
        assertThat(recipients("commented on")).containsExactly(address(ada));
        turnOff(ada, "reminders");
        remindAfter(Duration.ofMinutes(50));
        assertThat(recipients("due soon: ")).containsExactly(address(bob));
        turnOff(bob, "changes");
        Tenant.bean(TicketAnswers.class).complete(tenant.organization(), ticket.id(), owner, Map.of("approved", true));
        assertThat(recipients("completed")).containsExactly(address(ada));
    }

    @Test
    void mentionedPeopleGetOneEmailThatSaysSoAndTheAuthorNone() {
        UserId ada = member("Ada");
        UserId bob = member("Bob");
        UserId quiet = member("Quiet");
        turnOff(quiet, "comments");
        start(Workflows.of(tenant).human("approve").publish());
        TicketService store = Tenant.bean(TicketService.class);
        Ticket ticket = ticket();
        store.reassign(tenant.organization(), ticket.id(), owner, TicketAssignee.of(ada));
        store.claim(tenant.organization(), ticket.id(), new TicketActor(bob, true, Set.of()));

        var author = new TicketActor(tenant.owner(), true, Set.of());
        String text = "@Ada and @Owner, see the <total>.";
        store.comment(tenant.organization(), ticket.id(), author, text, List.of(ada, tenant.owner(), quiet));

        assertThat(recipients("commented on")).containsExactly(address(bob));
        assertThat(recipients("[Ticket #1] Owner mentioned you: approve")).containsExactly(address(ada));
        MailArchive.ArchivedContent content = content(mails().stream()
                .filter(mail -> mail.subject().contains("mentioned"))
                .findFirst()
                .orElseThrow());
        assertThat(content.text())
                .contains("Owner mentioned you on ticket #1.\n\n" + text)
                .contains("You get this email because Owner mentioned you.\nChange which emails you get: ");
        assertThat(content.html()).contains("see the &lt;total&gt;.");
        assertThat(mails())
                .filteredOn(mail -> mail.subject().contains("mentioned"))
                .allSatisfy(mail -> assertThat(mail.kind()).isEqualTo("ticket"));
    }

    @Test
    void theFooterLinksToTheAccountPage() {
        start(Workflows.of(tenant).human("approve").publish());
        ticket();
        MailArchive.ArchivedContent content = content(mails().getFirst());
        assertThat(content.text()).containsPattern("Change which emails you get: http://localhost[:0-9]*/account\n");
        assertThat(content.html()).containsPattern("<a href=\"http://localhost[:0-9]*/account\"[^>]*>Change which");
    }

    @Test
    void aTicketForMissingInputsDescribesTheTask() {
        start(Workflows.of(tenant)
                .task(
                        "book",
                        Map.of(
                                "kind",
                                "AI",
                                "name",
                                "Book a hotel",
                                "instructions",
                                "Find a quiet room.",
                                "input_parameters",
                                List.of(Workflows.input("nights", "INTEGER", "human_input", true)),
                                "expected_output",
                                List.of(Workflows.output("hotel", "STRING"))))
                .publish());
        String expected = "Needs nights to start.\n\nFind a quiet room.";
        assertThat(ticket().description()).isEqualTo(expected);
        assertThat(content(mails().getFirst()).text()).contains("Book a hotel", expected);
    }

    @Test
    void aTicketIsRemindedOfBeforeItIsDueAndWhenItIsAndNeverAgain() {
        start(due(60));
        Ticket ticket = ticket();
        assertThat(ticket.dueAt()).isEqualTo(ticket.createdAt().plus(Duration.ofHours(1)));
        remindAfter(Duration.ofMinutes(44));
        assertThat(recipients("due")).isEmpty();
        remindAfter(Duration.ofMinutes(2));
        assertThat(recipients("due soon: ")).hasSize(1);
        remindAfter(Duration.ofMinutes(15));
        assertThat(recipients("due: ")).hasSize(1);
        remindAfter(Duration.ofDays(10));
        assertThat(mails()).hasSize(3);
        assertThat(mails().getFirst().kind()).isEqualTo("reminder");
        assertThat(content(mails().getFirst()).text())
                .containsPattern("Due: [A-Z][a-z]+day, \\d+ [A-Z][a-z]+ \\d{4}, \\d\\d:\\d\\d UTC");
    }

    @Test
    void aTicketThatWasAnsweredIsNotRemindedOf() {
        start(due(60));
        Tenant.bean(TicketAnswers.class)
                .complete(tenant.organization(), ticket().id(), owner, Map.of("approved", true));
        remindAfter(Duration.ofDays(1));
        assertThat(mails()).extracting(ArchivedEmail::subject).containsExactly("[Ticket #1] approve");
    }

    private static void turnOff(UserId user, String kind) {
        database()
                .change(handle ->
                        handle.execute("UPDATE app_user SET email_" + kind + " = false WHERE id = ?", user.value()));
    }

    private void remindAfter(Duration time) {
        Tenant.bean(TestClock.class).advance(time);
        Tenant.bean(TicketReminderJob.class).remind();
    }

    private WorkflowId due(int minutes) {
        return Workflows.of(tenant)
                .task(
                        "approve",
                        Map.of(
                                "kind",
                                "Human",
                                "due_in_minutes",
                                minutes,
                                "expected_output",
                                List.of(Workflows.output("approved", "BOOLEAN"))))
                .publish();
    }

    private void start(WorkflowId workflow) {
        tenant.post("/workflows/" + workflow.text() + "/trigger/sync", Map.of("human_msg", "Hello"))
                .expect(200);
    }

    private Ticket ticket() {
        return eventually(
                        () -> Tenant.bean(TicketInbox.class)
                                .list(
                                        tenant.organization(),
                                        owner,
                                        TicketFilter.of(TicketFilter.Scope.ALL, Set.of()),
                                        TicketSort.CREATED,
                                        Optional.empty(),
                                        10),
                        tickets -> !tickets.isEmpty())
                .getFirst()
                .ticket();
    }

    private UserId member(String name) {
        UserId id = UserId.next();
        database().change(handle -> {
            handle.execute(
                    "INSERT INTO app_user (id, email, name, operator, created_at, proven_at)"
                            + " VALUES (?, ?, ?, false, now(), now())",
                    id.value(),
                    address(id),
                    name);
            handle.execute(
                    "INSERT INTO membership (organization_id, user_id, role, created_at) VALUES (?, ?, 'member', now())",
                    tenant.organization().value(),
                    id.value());
        });
        return id;
    }

    private static String address(UserId user) {
        return user.text() + "@test.example";
    }

    private List<ArchivedEmail> mails() {
        return Tenant.bean(MailArchive.class)
                .list(tenant.organization(), MailArchive.MailFilter.ALL, Optional.empty(), 100);
    }

    private List<String> recipients(String subject) {
        return mails().stream()
                .filter(mail -> mail.subject().contains(subject))
                .map(ArchivedEmail::to)
                .toList();
    }

    private MailArchive.ArchivedContent content(ArchivedEmail mail) {
        return Tenant.bean(MailArchive.class)
                .find(tenant.organization(), mail.id())
                .orElseThrow();
    }

    private static Database database() {
        return Tenant.bean(Database.class);
    }
}
