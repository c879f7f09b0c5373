package dev.parley.workflow.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.event.EventLog;
import dev.parley.event.EventSubscriptions;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.mail.MailTestBed;
import dev.parley.node.NodeLease;
import dev.parley.node.TestNodes;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.mail.TicketMail;
import dev.parley.workflow.ticket.store.ExceptionDetails;
import dev.parley.workflow.ticket.store.NewTicket;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketChange;
import dev.parley.workflow.ticket.store.TicketChange.TicketChangeKind;
import dev.parley.workflow.ticket.store.TicketDetails;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TicketServiceTest {
    private static final Settings SETTINGS =
            Settings.of(Map.of(Setting.PARLEY_SECRET, "a secret of the tests, which is long enough"));
    private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123Z");
    private static final TicketAssignee TEAM = new TicketAssignee("Team", "3");
    private static final TaskId APPROVE = new TaskId("approve");

    private static @Nullable Database database;
    private static @Nullable NodeLease node;

    private final OrganizationId organization = organization();
    private final TicketService store = new TicketService(
            database(),
            Clock.systemUTC(),
            new TicketEvents(
                    database(),
                    new EventLog(
                            new EventSubscriptions(database(), (_, _) -> Optional.empty(), Clock.systemUTC()),
                            List.of(),
                            Clock.systemUTC())),
            new TicketMail(
                    database(),
                    MailTestBed.holding(
                            Objects.requireNonNull(node),
                            database(),
                            Clock.systemUTC(),
                            new MasterKey(SETTINGS.storage(), database())),
                    "https://parley.example"));
    private final WorkflowInstanceId instance = WorkflowInstanceId.next();
    private final TicketActor member = new TicketActor(UserId.next(), false, Set.of(3));
    private final TicketActor colleague = new TicketActor(UserId.next(), false, Set.of(2, 3));
    private final TicketActor stranger = new TicketActor(UserId.next(), false, Set.of(4));
    private final TicketActor admin = new TicketActor(UserId.next(), true, Set.of());

    @BeforeAll
    static void start() {
        database = TestPostgres.migrated();
        node = TestNodes.start(database);
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(node).close();
        database().close();
    }

    @Test
    void aTicketComesBackAsItWasOpened() {
        TicketId id = open(Tickets.exception(instance, TEAM, member.self()));

        TicketDetails found = store.see(organization, id, admin);
        Ticket ticket = found.ticket();
        assertThat(ticket.number()).isEqualTo(1);
        assertThat(ticket.ruleType()).isEqualTo("Exception");
        assertThat(ticket.status()).isEqualTo(TicketStatus.OPEN);
        assertThat(ticket.priority()).isEqualTo(Ticket.Priority.HIGH);
        assertThat(ticket.assignments()).containsExactly(TEAM, member.self());
        assertThat(ticket.exception()).isEqualTo(new ExceptionDetails("Tool failed", "It answered 500."));
        assertThat(ticket.createdAt()).isEqualTo(AT);
        assertThat(found.form()).isEqualTo(Tickets.exception(instance).form());
        assertThat(found.answer()).isNull();
        assertThat(found.history())
                .containsExactly(
                        new TicketChange(1, AT, "system", TicketChangeKind.CREATED, null, "OPEN", null, List.of()));
    }

    @Test
    void openingTheSameTicketAgainAnswersTheFirst() {
        TicketId first = open(Tickets.approval(instance, TEAM));

        assertThat(open(Tickets.approval(instance, TEAM))).isEqualTo(first);
        assertThat(ticket(open(Tickets.question(instance, TEAM))).number()).isEqualTo(2);
    }

    @Test
    void numbersCountPerOrganization() {
        open(Tickets.approval(instance, TEAM));
        OrganizationId other = organization();
        TicketId id = database()
                .transaction(() -> store.open(other, Tickets.approval(WorkflowInstanceId.next(), TEAM), AT)
                        .id());

        assertThat(store.see(other, id, admin).ticket().number()).isEqualTo(1);
        assertRefused(() -> store.see(organization, id, admin), ProblemKind.NOT_FOUND);
    }

    @Test
    void anEndIsWrittenOnceWithItsAnswer() {
        TicketId id = open(Tickets.approval(instance, TEAM));
        store.claim(organization, id, member);

        assertThat(close(TicketEnd.COMPLETED, member.by(), Map.of("approved", true), null))
                .contains(id);
        assertThat(close(TicketEnd.CANCELLED, "system", null, "late")).isEmpty();

        TicketDetails found = store.see(organization, id, member);
        assertThat(found.ticket().status()).isEqualTo(TicketStatus.RESOLVED);
        assertThat(found.ticket().claimedBy()).isEqualTo(member.user());
        assertThat(found.ticket().reason()).isNull();
        assertThat(found.ticket().resolvedAt())
                .isNotNull()
                .isEqualTo(found.ticket().updatedAt());
        assertThat(found.answer()).isNotNull().extracting(json -> json.text()).isEqualTo("{\"approved\":true}");
        assertThat(found.history())
                .extracting(TicketChange::change)
                .containsExactly(TicketChangeKind.CREATED, TicketChangeKind.CLAIMED, TicketChangeKind.COMPLETED);
        assertThat(found.history().getLast().from()).isEqualTo("IN_PROGRESS");
        assertThat(found.history().getLast().to()).isEqualTo("RESOLVED");
    }

    @Test
    void endingAMissingTicketIsIgnored() {
        assertThat(close(TicketEnd.COMPLETED, "system", Map.of(), null)).isEmpty();
    }

    @Test
    void aRejectionKeepsItsReasonAndARetryHasNoAnswer() {
        TicketId rejected = open(Tickets.approval(instance, TEAM));
        close(TicketEnd.REJECTED, member.by(), null, "Too dear.");
        TicketId retried = open(Tickets.exception(instance, TEAM));
        var closed = database()
                .transaction(() -> store.close(
                        organization,
                        instance,
                        new TaskId("extract"),
                        4,
                        TicketEnd.RETRIED,
                        member.by(),
                        null,
                        null,
                        null,
                        AT));

        assertThat(closed).contains(retried);
        assertThat(ticket(rejected).reason()).isEqualTo("Too dear.");
        assertThat(last(rejected).change()).isEqualTo(TicketChangeKind.REJECTED);
        assertThat(last(rejected).detail()).isEqualTo("Too dear.");
        assertThat(last(retried).change()).isEqualTo(TicketChangeKind.RETRIED);
    }

    @Test
    void aRolledBackTransactionOfTheEngineLeavesNoTicket() {
        assertThatThrownBy(() -> database().change(_ -> {
                    store.open(organization, Tickets.approval(instance, TEAM), AT);
                    throw new IllegalStateException("the engine was fenced");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(store.ofInstance(organization, instance)).isEmpty();
        assertThat(ticket(open(Tickets.approval(instance, TEAM))).number()).isEqualTo(1);
    }

    @Test
    void theTicketsOfAnInstanceAreFoundByTask() {
        TicketId approval = open(Tickets.approval(instance, TEAM));
        TicketId exception = open(Tickets.exception(instance, TEAM));
        open(Tickets.approval(WorkflowInstanceId.next(), TEAM));

        assertThat(store.ofInstance(organization, instance))
                .isEqualTo(Map.of(APPROVE, approval, new TaskId("extract"), exception));
    }

    @Test
    void claimReleaseReassignAndCommentStandInTheHistory() {
        TicketId id = open(Tickets.approval(instance, TEAM));
        assertThat(store.claim(organization, id, member).ticket().status()).isEqualTo(TicketStatus.IN_PROGRESS);
        assertThat(store.claim(organization, id, member).history()).hasSize(2);
        assertThat(store.comment(organization, id, colleague, "Who knows?", List.of())
                        .ticket()
                        .claimedBy())
                .isEqualTo(member.user());
        assertThat(store.release(organization, id, member).ticket().claimedBy()).isNull();
        store.claim(organization, id, colleague);
        TicketDetails reassigned = store.reassign(organization, id, colleague, stranger.self());

        assertThat(reassigned.ticket().status()).isEqualTo(TicketStatus.OPEN);
        assertThat(reassigned.ticket().assignments()).containsExactly(stranger.self());
        assertThat(reassigned.history())
                .extracting(TicketChange::seq, TicketChange::change, TicketChange::from, TicketChange::to)
                .containsExactly(
                        tuple(1, TicketChangeKind.CREATED, null, "OPEN"),
                        tuple(2, TicketChangeKind.CLAIMED, "OPEN", "IN_PROGRESS"),
                        tuple(3, TicketChangeKind.COMMENTED, null, null),
                        tuple(4, TicketChangeKind.RELEASED, "IN_PROGRESS", "OPEN"),
                        tuple(5, TicketChangeKind.CLAIMED, "OPEN", "IN_PROGRESS"),
                        tuple(
                                6,
                                TicketChangeKind.REASSIGNED,
                                "team:3",
                                "user:" + stranger.user().text()));
        assertRefused(() -> store.see(organization, id, colleague), ProblemKind.FORBIDDEN);
        assertThat(store.see(organization, id, stranger).ticket().id()).isEqualTo(id);
    }

    @Test
    void othersTicketsAreForbiddenAndOtherOrganizationsNotFound() {
        TicketId id = open(Tickets.approval(instance, TEAM));

        assertRefused(() -> store.see(organization, id, stranger), ProblemKind.FORBIDDEN);
        assertRefused(() -> store.claim(organization, id, stranger), ProblemKind.FORBIDDEN);
        assertRefused(() -> store.answerable(organization, id, stranger), ProblemKind.FORBIDDEN);
        assertRefused(() -> store.claim(OrganizationId.next(), id, colleague), ProblemKind.NOT_FOUND);
        assertRefused(() -> store.see(organization, TicketId.next(), colleague), ProblemKind.NOT_FOUND);
    }

    private static void assertRefused(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable action, ProblemKind expected) {
        assertThatThrownBy(action).isInstanceOfSatisfying(ApiProblem.class, no -> assertThat(no.kind())
                .isEqualTo(expected));
    }

    @Test
    void ofManyWhoClaimAtOnceOneWins() throws Exception {
        TicketId id = open(Tickets.approval(instance, TEAM));
        List<Callable<Boolean>> claims = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            TicketActor one = new TicketActor(UserId.next(), false, Set.of(3));
            claims.add(() -> {
                try {
                    store.claim(organization, id, one);
                    return true;
                } catch (ApiProblem e) {
                    assertThat(e.kind()).isEqualTo(ProblemKind.WRONG_STATUS);
                    assertThat(e.extra()).containsEntry("status", "IN_PROGRESS");
                    return false;
                }
            });
        }
        int won = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> claim : threads.invokeAll(claims)) {
                won += claim.get() ? 1 : 0;
            }
        }
        assertThat(won).isEqualTo(1);
        assertThat(store.see(organization, id, admin).history()).hasSize(2);
    }

    @Test
    void ofManyEndsAtOnceOneIsWritten() throws Exception {
        TicketId id = open(Tickets.approval(instance, TEAM));
        List<Callable<Boolean>> ends = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ends.add(() -> close(TicketEnd.COMPLETED, "system", Map.of(), null).isPresent());
        }
        int won = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> end : threads.invokeAll(ends)) {
                won += end.get() ? 1 : 0;
            }
        }
        assertThat(won).isEqualTo(1);
        assertThat(store.see(organization, id, admin).history()).hasSize(2);
    }

    private TicketId open(NewTicket ticket) {
        return database().transaction(() -> store.open(organization, ticket, AT).id());
    }

    private java.util.Optional<TicketId> close(
            TicketEnd end, String by, @Nullable Map<String, @Nullable Object> answer, @Nullable String reason) {
        return database()
                .transaction(() ->
                        store.close(organization, instance, APPROVE, 1, end, by, answer, reason, null, Instant.now()));
    }

    private Ticket ticket(TicketId id) {
        return store.see(organization, id, admin).ticket();
    }

    private TicketChange last(TicketId id) {
        return store.see(organization, id, admin).history().getLast();
    }

    private static OrganizationId organization() {
        OrganizationId id = OrganizationId.next();
        database()
                .change(handle -> handle.execute(
                        "INSERT INTO organization (id, name, created_at) VALUES (?, 'Test', now())", id.value()));
        return id;
    }

    private static Database database() {
        if (database == null) {
            throw new IllegalStateException("not started");
        }
        return database;
    }
}
