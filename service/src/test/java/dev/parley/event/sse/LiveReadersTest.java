package dev.parley.event.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.apikey.NewApiKey;
import dev.parley.db.Database;
import dev.parley.event.SseClient;
import dev.parley.id.EventId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.workflow.instance.PublishedWorkflows;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Access to the events of a conversation, resuming, and clients that do not read. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LiveReadersTest {
    @Inject
    TestClock clock;

    @Inject
    TestOrganizations organizations;

    private final List<SseClient> open = new ArrayList<>();
    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @AfterEach
    void close() {
        open.forEach(SseClient::close);
        clock.reset();
    }

    @Test
    void theHeaderOfTheLastEventCountsBeforeTheQuery() {
        String conversation = tenant.conversation();
        SseClient first = follow(conversation, tenant.key());
        tenant.send(conversation, "One").expect(200);
        List<SseClient.Received> all = first.await(found -> found.size() >= 3);
        first.close();
        SseClient second = keep(SseClient.open(
                path(conversation) + "?last_event_id=" + all.getLast().id(),
                "Authorization",
                "Bearer " + tenant.key(),
                "Last-Event-ID",
                all.getFirst().id()));
        assertThat(second.await(found -> found.size() >= all.size() - 1)).isEqualTo(all.subList(1, all.size()));
        new Api()
                .get(path(conversation))
                .key(tenant.key())
                .header("Last-Event-ID", "nonsense")
                .send()
                .expect(400);
    }

    @Test
    void aSubscriberMayResumeByWebhookId() {
        String conversation = tenant.conversation();
        SseClient first = follow(conversation, tenant.key());
        tenant.send(conversation, "One").expect(200);
        List<SseClient.Received> all = first.await(found -> found.size() >= 3);
        first.close();
        String webhookId = "evt_" + all.getFirst().id();
        SseClient byHeader = keep(SseClient.open(
                path(conversation), "Authorization", "Bearer " + tenant.key(), "Last-Event-ID", webhookId));
        SseClient byQuery = keep(SseClient.open(
                path(conversation) + "?last_event_id=" + webhookId, "Authorization", "Bearer " + tenant.key()));
        for (SseClient again : List.of(byHeader, byQuery)) {
            assertThat(again.await(found -> found.size() >= all.size() - 1)).isEqualTo(all.subList(1, all.size()));
        }
        for (String wrong : List.of(
                "evt_",
                "evt_evt_" + all.getFirst().id(),
                "msg_" + all.getFirst().id())) {
            new Api()
                    .get(path(conversation) + "?last_event_id=" + wrong)
                    .key(tenant.key())
                    .send()
                    .expect(400);
        }
    }

    @Test
    void moreSubscribersThanPagesInMemoryReadEveryEvent() {
        String conversation = tenant.conversation();
        List<SseClient> streams = new ArrayList<>();
        for (int i = 0; i < 3 * SseBroker.MAX_PAGES_IN_MEMORY; i++) {
            streams.add(follow(conversation, tenant.key()));
        }
        for (String text : List.of("One", "Two", "Three")) {
            tenant.send(conversation, text).expect(200);
        }
        List<SseClient.Received> all = streams.getFirst().await(found -> found.size() >= 9);
        for (SseClient stream : streams) {
            assertThat(stream.await(found -> found.size() >= all.size()).subList(0, all.size()))
                    .isEqualTo(all);
        }
    }

    @Test
    void aTeamsKeyFollowsOnlyConversationsOfItsTeam() {
        int team = team("Mine");
        String key = key(Optional.of(team), Optional.empty());
        String own = new Api()
                .post("/developer/api/conversations")
                .key(key)
                .json(Map.of("team_id", team))
                .send()
                .expect(201)
                .text("/id");
        assertThat(follow(own, key).status()).isEqualTo(200);
        new Api().get(path(tenant.conversation())).key(key).send().expect(404);
        String others = key(Optional.of(team("Others")), Optional.empty());
        new Api().get(path(own)).key(others).send().expect(404);
    }

    @Test
    void aWorkflowsKeyFollowsOnlyConversationsOfItsWorkflow() {
        WorkflowId workflow = PublishedWorkflows.asking(tenant);
        String key = key(Optional.empty(), Optional.of(workflow));
        String own = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
        assertThat(follow(own, key).status()).isEqualTo(200);
        assertThat(new Api()
                        .get(path(tenant.conversation()))
                        .key(key)
                        .send()
                        .expect(403)
                        .body())
                .isEqualTo("{\"error\":\"API key is not authorized for this workflow\"}");
    }

    @Test
    void signingOutEndsOnlyTheUsersStreams() {
        TestOrganizations.Tenant org = organizations.create();
        String made = org.member()
                .browser()
                .post(org.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        SseClient mine = follow(org, org.member(), made);
        SseClient others = follow(org, org.owner(), made);
        org.member().browser().post("/dashboard/api/logout").send();
        mine.awaitEnd();
        assertThat(mine.endedWell()).isTrue();
        org.owner()
                .browser()
                .post(org.path() + "/conversations/" + made + "/messages")
                .json(Map.of("content", "Hello"))
                .send()
                .expect(200);
        others.await(found -> !found.isEmpty());
    }

    @Test
    @Tag("all")
    void aStalledSubscriberIsDroppedAndResumesWithoutLossOrDuplicates() {
        Tenant.eventually(LiveReadersTest::readers, count -> count == 0);
        String conversation = tenant.conversation();
        SseClient slow =
                keep(SseClient.openWithoutReading(path(conversation), "Authorization", "Bearer " + tenant.key()));
        int messages = 32;
        for (int i = 0; i < messages; i++) {
            tenant.send(conversation, "" + "x".repeat(240_000)).expect(200);
        }
        Tenant.eventually(
                () -> Tenant.bean(Database.class).with(handle -> handle.select(
                                "SELECT count(*) FROM event WHERE organization_id = ? AND type = 'message.updated'"
                                        + " AND data LIKE '%DELIVERED%'",
                                tenant.organization().value())
                        .mapTo(Integer.class)
                        .one()),
                count -> count >= messages);
        assertThat(readers()).isEqualTo(1);
        Tenant.eventually(
                () -> {
                    clock.advance(SseBroker.READ_TIMEOUT.plus(Duration.ofSeconds(1)));
                    return readers();
                },
                count -> count == 0);
        slow.readOn();
        slow.awaitEnd();
        assertThat(slow.endedWell()).isFalse();
        List<SseClient.Received> before = slow.received();
        List<SseClient.Received> all = all(conversation);
        assertThat(before).hasSizeLessThan(all.size());
        SseClient again = keep(SseClient.open(
                path(conversation),
                "Authorization",
                "Bearer " + tenant.key(),
                "Last-Event-ID",
                before.isEmpty() ? EventId.next().text() : before.getLast().id()));
        List<SseClient.Received> rest = again.await(found -> found.size() >= all.size() - before.size());
        List<SseClient.Received> both = new ArrayList<>(before);
        both.addAll(rest);
        assertThat(both).isEqualTo(all);
    }

    /** An unknown id returns all kept events. */
    private List<SseClient.Received> all(String conversation) {
        int count = Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT count(*) FROM event WHERE organization_id = ?",
                        tenant.organization().value())
                .mapTo(Integer.class)
                .one());
        SseClient whole = keep(SseClient.open(
                path(conversation),
                "Authorization",
                "Bearer " + tenant.key(),
                "Last-Event-ID",
                EventId.next().text()));
        return whole.await(found -> found.size() == count);
    }

    private static double readers() {
        return Metrics.globalRegistry.get("parley.sse.subscribers").gauge().value();
    }

    private SseClient follow(String conversation, String key) {
        return keep(SseClient.open(path(conversation), "Authorization", "Bearer " + key));
    }

    private SseClient follow(TestOrganizations.Tenant org, TestOrganizations.TestUser person, String conversation) {
        SseClient stream = keep(SseClient.open(
                org.path() + "/conversations/" + conversation + "/events",
                "Cookie",
                "parley_session=" + person.browser().session().orElseThrow()));
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    private SseClient keep(SseClient stream) {
        open.add(stream);
        return stream;
    }

    private static String path(String conversation) {
        return "/developer/api/conversations/" + conversation + "/events";
    }

    private int team(String name) {
        return Tenant.bean(Database.class).with(handle -> handle.select(
                        "INSERT INTO team (organization_id, id, name, created_at)"
                                + " SELECT ?, count(*) + 1, ?, now() FROM team WHERE organization_id = ? RETURNING id",
                        tenant.organization().value(),
                        name,
                        tenant.organization().value())
                .mapTo(Integer.class)
                .one());
    }

    private String key(Optional<Integer> team, Optional<WorkflowId> workflow) {
        return organizations.key(tenant.organization(), new NewApiKey("restricted", team, workflow, Optional.empty()));
    }
}
