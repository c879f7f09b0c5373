package dev.parley.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Live streams over real connections. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LiveEventsTest {
    @Inject
    TestClock clock;

    @Inject
    TestOrganizations organizations;

    private final List<SseClient> open = new ArrayList<>();
    private Tenant tenant;
    private String conversation;

    @BeforeEach
    void aConversation() {
        tenant = Tenant.create();
        conversation = tenant.conversation();
    }

    @AfterEach
    void close() {
        open.forEach(SseClient::close);
        clock.reset();
    }

    @Test
    void aSubscriberGetsMessagesAndReplies() {
        SseClient stream = follow("");
        assertThat(stream.status()).isEqualTo(200);
        String id = tenant.send(conversation, "Hello").expect(200).text("/id");
        List<SseClient.Received> received = stream.await(all ->
                data(all).stream().anyMatch(one -> one.at("/data/type").asText().equals("AGENT_RESPONSE")));
        assertThat(received.getFirst().type()).isEqualTo("message.created");
        JsonNode first = data(received).getFirst();
        assertThat(first.at("/type").asText()).isEqualTo("message.created");
        assertThat(first.at("/data/id").asText()).isEqualTo(id);
        assertThat(first.at("/data/sequence").asInt()).isEqualTo(1);
    }

    @Test
    void aHeadEndsWithTheHead() {
        String path = "/developer/api/conversations/" + conversation + "/events";
        Api.Answer head =
                new Api().method("HEAD", path).key(tenant.key()).send().expect(200);
        assertThat(head.header("Content-Type")).startsWith("text/event-stream");
        assertThat(head.body()).isEmpty();
        new Api().method("HEAD", path).send().expect(401);
        new Api().method("HEAD", path).key(Tenant.create().key()).send().expect(404);
    }

    @Test
    void aResumedSubscriberMissesNothing() {
        SseClient first = follow("");
        tenant.send(conversation, "One").expect(200);
        String last = first.await(all -> !all.isEmpty()).getFirst().id();
        first.close();
        tenant.send(conversation, "Two").expect(200);
        SseClient second = follow("?last_event_id=" + last);
        List<SseClient.Received> received = second.await(all -> data(all).stream()
                .anyMatch(one -> one.at("/data/content").asText().equals("Two")));
        List<JsonNode> events = data(received);
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i).at("/data/sequence").asInt()).isEqualTo(i + 2);
        }
        assertThat(received).extracting(SseClient.Received::id).doesNotContain(last);
    }

    @Test
    @Tag("all")
    void eventsOfAnotherNodeArriveWithinASecond() {
        SseClient stream = follow("");
        Database database = Tenant.bean(Database.class);
        var other = new EventLog(
                new EventSubscriptions(database, (_, _) -> Optional.empty(), Clock.systemUTC()),
                List.of(),
                Clock.systemUTC());
        Instant before = Instant.now();
        var stored = database.jdbcTransaction(connection -> other.append(
                connection,
                List.of(new NewEvent(
                        tenant.organization(),
                        ConversationId.parse(conversation).orElseThrow(),
                        null,
                        EventType.MESSAGE_UPDATED,
                        before,
                        "{\"id\":\"x\"}"))));
        assertThat(stored).as("the other node knows of the subscriber").hasSize(1);
        stream.await(all -> !all.isEmpty());
        assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aQuietStreamGetsAHeartbeat() {
        SseClient stream = follow("");
        clock.advance(Duration.ofSeconds(15));
        stream.awaitText(": heartbeat");
    }

    @Test
    void aRevokedKeyEndsItsStreams() {
        String key = organizations.key(tenant.organization());
        SseClient stream = SseClient.open(
                "/developer/api/conversations/" + conversation + "/events", "Authorization", "Bearer " + key);
        open.add(stream);
        Tenant.bean(Database.class)
                .change(handle -> handle.execute(
                        "UPDATE api_key SET revoked_at = now() WHERE organization_id = ? AND id <> ?",
                        tenant.organization().value(),
                        tenant.keyId().value()));
        stream.awaitEnd();
    }

    @Test
    void aUserSubscribesOnlyWithinTheirOrganization() {
        TestOrganizations.Tenant org = organizations.create();
        String made = org.member()
                .browser()
                .post(org.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        String cookie = "parley_session=" + org.member().browser().session().orElseThrow();
        SseClient stream = SseClient.open(org.path() + "/conversations/" + made + "/events", "Cookie", cookie);
        open.add(stream);
        assertThat(stream.status()).isEqualTo(200);
        org.owner()
                .browser()
                .post(org.path() + "/conversations/" + made + "/messages")
                .json(Map.of("content", "Hello"))
                .send()
                .expect(200);
        stream.await(all -> !all.isEmpty());
        Database database = Tenant.bean(Database.class);
        database.change(handle -> handle.execute(
                "DELETE FROM membership WHERE organization_id = ? AND user_id = ?",
                org.id().value(),
                org.member().id().value()));
        stream.awaitEnd();
        org.member()
                .browser()
                .get(org.path() + "/conversations/" + made + "/events")
                .send()
                .expect(404);
    }

    @Test
    void restrictionsAreThoseOfOtherRoutes() {
        String path = "/developer/api/conversations/" + conversation + "/events";
        new Api().get(path).send().expect(401);
        new Api().get(path).key(Tenant.create().key()).send().expect(404);
        tenant.get("/conversations/nonsense/events").expect(404);
        tenant.get("/workflow_instances/nonsense/events").expect(404);
        tenant.get("/conversations/" + conversation + "/events?last_event_id=nonsense")
                .expect(400);
        Api.dashboard()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/conversations/" + conversation
                        + "/events")
                .send()
                .expect(401);
    }

    @Test
    void hundredsOfSubscribersGetAllEvents() {
        List<SseClient> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            many.add(follow(""));
        }
        tenant.send(conversation, "Hello").expect(200);
        many.forEach(stream -> stream.await(all -> !all.isEmpty()));
    }

    @Test
    void expiredEventsAreDeleted() {
        SseClient stream = follow("");
        tenant.send(conversation, "Hello").expect(200);
        // The message, one or two updates and the reply; nothing follows.
        stream.await(all ->
                all.stream().filter(one -> one.type().equals("message.created")).count() == 2);
        stream.close();
        clock.advance(Duration.ofHours(25));
        Tenant.bean(EventDeletionJob.class).deleteExpired();
        int left = Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT count(*) FROM event WHERE organization_id = ?",
                        tenant.organization().value())
                .mapTo(Integer.class)
                .one());
        assertThat(left).isZero();
    }

    private SseClient follow(String query) {
        SseClient stream = SseClient.open(
                "/developer/api/conversations/" + conversation + "/events" + query,
                "Authorization",
                "Bearer " + tenant.key());
        open.add(stream);
        return stream;
    }

    private static List<JsonNode> data(List<SseClient.Received> received) {
        return received.stream()
                .map(one -> StrictJson.readTrusted(one.data(), JsonNode.class))
                .toList();
    }
}
