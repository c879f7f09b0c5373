package dev.parley.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.event.EventSubscriptions.SubscriptionLevel;
import dev.parley.id.ConversationId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log on a real database, with the subscriptions of several nodes. */
class EventLogTest {
    private static Database database;
    private OrganizationId organization;

    @BeforeAll
    static void start() {
        database = TestPostgres.migrated();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void anOrganization() {
        organization = OrganizationId.next();
        database.change(handle -> handle.execute(
                "INSERT INTO organization (id, name, created_at) VALUES (?, 'Test', now())", organization.value()));
    }

    @Test
    void eventsWithoutSubscribersAreNotRecorded() {
        EventSubscriptions subscriptions = node();
        ConversationId conversation = ConversationId.next();
        assertThat(append(log(subscriptions), List.of(created(conversation)))).isEmpty();
        assertThat(rows("event")).isZero();
        assertThat(rows("event_stream")).isZero();
    }

    @Test
    void allEventsOfAConversationWithACallbackAreRecorded() {
        ConversationId conversation = ConversationId.next();
        var subscriptions = new EventSubscriptions(
                database,
                (_, id) -> id.equals(conversation) ? Optional.of("https://example.com") : Optional.empty(),
                Clock.systemUTC());
        List<Event> stored = append(
                log(subscriptions),
                List.of(created(conversation), created(ConversationId.next()), created(conversation)));
        assertThat(stored).extracting(Event::sequence).containsExactly(1L, 2L);
        assertThat(stored.get(1).payload())
                .isEqualTo("{\"type\":\"message.created\",\"timestamp\":\"2026-01-02T03:04:05.000Z\","
                        + "\"data\":{\"id\":\"1\",\"sequence\":2}}");
    }

    @Test
    void anEndpointsTypesAreWrittenOfAllItsOrganizationsConversations() {
        EventSubscriptions subscriptions = node();
        subscriptions.subscribeOrganization(organization, Set.of(EventType.TICKET_CREATED));
        subscriptions.awaitVisible();
        ConversationId conversation = ConversationId.next();
        assertThat(subscriptions.level(organization, conversation, null, EventType.TICKET_CREATED))
                .isEqualTo(SubscriptionLevel.DELIVERED);
        assertThat(subscriptions.level(organization, conversation, null, EventType.MESSAGE_CREATED))
                .isEqualTo(SubscriptionLevel.NO);
        assertThat(subscriptions.level(OrganizationId.next(), conversation, null, EventType.TICKET_CREATED))
                .isEqualTo(SubscriptionLevel.NO);
        subscriptions.subscribeOrganization(organization, Set.of());
        subscriptions.awaitVisible();
        assertThat(subscriptions.level(organization, conversation, null, EventType.TICKET_CREATED))
                .isEqualTo(SubscriptionLevel.NO);
    }

    @Test
    void afterTheWaitEveryNodeKnowsTheSubscription() {
        EventSubscriptions here = node();
        EventSubscriptions there = node();
        database.change(handle -> {
            for (int i = 0; i < 2; i++) {
                handle.execute(
                        "INSERT INTO node (id, name, lease_until) VALUES (?, 'x', now())",
                        NodeId.next().value());
            }
        });
        for (int i = 0; i < 3; i++) {
            ConversationId conversation = ConversationId.next();
            assertThat(there.level(organization, conversation, null, EventType.MESSAGE_CREATED))
                    .isEqualTo(SubscriptionLevel.NO);
            assertThat(here.watch(organization, conversation.value())).isTrue();
            assertThat(there.level(organization, conversation, null, EventType.MESSAGE_CREATED))
                    .isEqualTo(SubscriptionLevel.WATCHED);
        }
        database.change(handle -> handle.execute("DELETE FROM node"));
    }

    @Test
    void theWaitIncludesInFlightTransactions() throws Exception {
        EventSubscriptions subscriptions = node();
        CompletableFuture<Boolean> wait;
        try (Connection writer = database.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("UPDATE message SET status = status WHERE false");
            wait = CompletableFuture.supplyAsync(subscriptions::awaitVisibleOnAllNodes);
            assertThatThrownBy(copy(wait)::join).hasRootCauseInstanceOf(TimeoutException.class);
            writer.rollback();
        }
        assertThat(wait.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void unrelatedTransactionsDoNotDelayASubscriber() throws Exception {
        EventSubscriptions subscriptions = node();
        try (Connection here = database.dataSource().getConnection();
                Connection elsewhere = TestPostgres.migrated().dataSource().getConnection()) {
            here.setAutoCommit(false);
            here.createStatement().execute("SELECT pg_current_xact_id() FROM (SELECT count(*) FROM message) m");
            here.createStatement().execute("UPDATE scheduled_tasks SET version = version WHERE false");
            elsewhere.setAutoCommit(false);
            elsewhere.createStatement().execute("UPDATE message SET status = status WHERE false");
            long begun = System.nanoTime();
            assertThat(subscriptions.watch(organization, ConversationId.next().value()))
                    .isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
            here.rollback();
            elsewhere.rollback();
        }
    }

    @Test
    void aWatchThatCannotBePromisedIsTriedAgainUntilItIs() throws Exception {
        EventSubscriptions subscriptions = node();
        UUID id = ConversationId.next().value();
        try (Connection writer = database.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            writer.createStatement().execute("UPDATE ticket SET status = status WHERE false");
            assertThat(subscriptions.watch(organization, id)).isFalse();
            CompletableFuture<Boolean> again =
                    CompletableFuture.supplyAsync(() -> subscriptions.watch(organization, id));
            assertThatThrownBy(copy(again)::join)
                    .as("that it is awaitVisible everywhere does not end the transaction")
                    .hasRootCauseInstanceOf(TimeoutException.class);
            writer.rollback();
            assertThat(again.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static CompletableFuture<Boolean> copy(CompletableFuture<Boolean> of) {
        return of.copy().orTimeout(200, TimeUnit.MILLISECONDS);
    }

    @Test
    void manyWritersNumberAStreamWithoutGapsInTheOrderOfTheirCommits() {
        EventSubscriptions subscriptions = node();
        List<ConversationId> conversations = List.of(ConversationId.next(), ConversationId.next());
        conversations.forEach(one -> subscriptions.watch(organization, one.value()));
        EventLog log = log(subscriptions);
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean reverse = i % 2 == 0;
            writers.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 25; n++) {
                    List<NewEvent> events =
                            conversations.stream().map(this::created).toList();
                    append(log, reverse ? events.reversed() : events);
                }
            }));
        }
        writers.forEach(CompletableFuture::join);
        for (ConversationId one : conversations) {
            List<Long> sequences = database.with(handle -> handle.select(
                            "SELECT sequence FROM event WHERE stream_id = ? ORDER BY sequence", one.value())
                    .mapTo(Long.class)
                    .list());
            assertThat(sequences)
                    .isEqualTo(LongStream.rangeClosed(1, 100).boxed().toList());
        }
    }

    @Test
    void anEventOfAnInstanceWithoutConversationIsCountedByTheInstance() {
        EventSubscriptions subscriptions = node();
        WorkflowInstanceId instance = WorkflowInstanceId.next();
        subscriptions.watch(organization, instance.value());
        var event = new NewEvent(
                organization, null, instance, EventType.INSTANCE_STATUS_CHANGED, Instant.now(), "{\"status\":\"X\"}");
        assertThat(append(log(subscriptions), List.of(event, event)))
                .extracting(Event::sequence)
                .containsExactly(1L, 2L);
    }

    @Test
    void aListenersWritesAreRolledBackWithTheChange() {
        EventSubscriptions subscriptions = node();
        ConversationId conversation = ConversationId.next();
        subscriptions.watch(organization, conversation.value());
        List<Event> heard = new CopyOnWriteArrayList<>();
        var listener = new EventListener() {
            @Override
            public void appended(Connection tx, List<Event> stored) throws SQLException {
                heard.addAll(stored);
                if (heard.size() > 1) {
                    throw new IllegalStateException("the second is refused");
                }
            }
        };
        var log = new EventLog(subscriptions, List.of(listener), Clock.systemUTC());
        append(log, List.of(created(conversation)));
        assertThatThrownBy(() -> append(log, List.of(created(conversation)))).hasMessageContaining("refused");
        assertThat(heard).extracting(Event::sequence).containsExactly(1L, 2L);
        assertThat(rows("event")).isEqualTo(1);
    }

    private static EventSubscriptions node() {
        return new EventSubscriptions(database, (_, _) -> Optional.empty(), Clock.systemUTC());
    }

    private static EventLog log(EventSubscriptions subscriptions) {
        return new EventLog(subscriptions, List.of(), Clock.systemUTC());
    }

    private NewEvent created(ConversationId conversation) {
        return new NewEvent(
                organization,
                conversation,
                null,
                EventType.MESSAGE_CREATED,
                Instant.parse("2026-01-02T03:04:05Z"),
                "{\"id\":\"1\"}");
    }

    private static List<Event> append(EventLog log, List<NewEvent> events) {
        return database.jdbcTransaction(connection -> log.append(connection, events));
    }

    private int rows(String table) {
        return database.with(handle -> handle.select(
                        "SELECT count(*) FROM " + table + " WHERE organization_id = ?", organization.value())
                .mapTo(Integer.class)
                .one());
    }
}
