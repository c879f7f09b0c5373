package dev.parley.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.webhook.ScriptedReceiver.Hook;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Deliveries, pings and replays in the dashboard's API. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WebhookDeliveryTest extends AbstractWebhookTest {
    @Inject
    DeliveryDeletionJob deletionJob;

    @Inject
    Database database;

    @Test
    void deliveriesAreListedWithTheirAttemptsAndReplayedWithTheSameId() {
        var count = new AtomicInteger();
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> {
            if (count.incrementAndGet() == 1) {
                ScriptedReceiver.status(out, 500);
            } else {
                ScriptedReceiver.status(out, 200);
            }
        })) {
            String endpoint = endpoint(hooks.url("/replay"), "message.created");
            String conversation = conversation();
            send(conversation, "Hello");
            dev.parley.Tenant.eventually(
                    () -> {
                        clock.advance(Duration.ofSeconds(2));
                        return list("?state=DELIVERED&endpoint=" + endpoint);
                    },
                    page -> page.at("/items").size() == 2);
            JsonNode first = list("?conversation=" + conversation + "&type=message.created")
                    .at("/items/1");
            assertThat(first.at("/sequence").asInt()).isEqualTo(1);
            assertThat(first.at("/attempt_count").asInt()).isEqualTo(2);
            String path =
                    tenant.path() + "/webhook-deliveries/" + first.at("/id").asText();
            JsonNode details = owner.get(path).send().expect(200).json();
            assertThat(details.at("/attempts/0/status").asInt()).isEqualTo(500);
            assertThat(details.at("/attempts/0/response").asText()).isEqualTo("status 500");
            assertThat(details.at("/attempts/1/status").asInt()).isEqualTo(200);
            assertThat(details.at("/attempts/0/request_headers/webhook-id").asText())
                    .isEqualTo(first.at("/webhook_id").asText());
            assertThat(details.toString()).doesNotContain("v1,");
            tenant.member().browser().post(path + "/replay").send().expect(403);
            int before = hooks.seen().size();
            owner.post(path + "/replay").send().expect(200);
            Hook requeue = dev.parley.Tenant.eventually(hooks::seen, all -> all.size() > before)
                    .getLast();
            assertThat(requeue.id()).isEqualTo(first.at("/webhook_id").asText());
            assertThat(requeue.sequence()).isEqualTo(1);
            dev.parley.Tenant.eventually(
                    () -> owner.get(path).send().json(),
                    one -> one.at("/attempts").size() == 3);
            assertThat(new Api().get("/metrics").send().body())
                    .contains(
                            "parley_webhook_deliveries_total{outcome=\"delivered\"}",
                            "parley_webhook_deliveries_total{outcome=\"retrying\"}");
            JsonNode page = list("?limit=1");
            assertThat(page.at("/items")).hasSize(1);
            assertThat(list("?limit=1&after=" + page.at("/next").asText())
                            .at("/items/0/sequence")
                            .asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    void aPingIsSignedAndShowsItsPayloadToAdmins() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            String id = endpoint(hooks.url("/ping"), "ticket.created");
            String path = tenant.path() + "/webhook-endpoints/" + id;
            Api.Answer queued = owner.post(path + "/ping").send().expect(201);
            assertThat(queued.text("/type")).isEqualTo("webhook_endpoint.ping");
            Hook hook = await(hooks, "/ping", 1).getFirst();
            assertThat(verifies(secret(), hook)).isTrue();
            assertThat(hook.type()).isEqualTo("webhook_endpoint.ping");
            assertThat(hook.json().at("/data/id").asText()).isEqualTo(id);
            String delivery = tenant.path() + "/webhook-deliveries/" + queued.text("/id");
            JsonNode details = dev.parley.Tenant.eventually(
                    () -> owner.get(delivery).send().expect(200).json(),
                    one -> one.at("/state").asText().equals("DELIVERED"));
            assertThat(details.at("/payload")).isEqualTo(hook.json());
            Api member = tenant.member().browser();
            assertThat(member.get(delivery)
                            .send()
                            .expect(200)
                            .json()
                            .at("/payload")
                            .isNull())
                    .isTrue();
            member.post(path + "/ping").send().expect(403);
            member.post(path + "/replay-failed").send().expect(403);
            assertThat(owner.get(path).send().json().at("/activity/delivered").asInt())
                    .isEqualTo(1);
            owner.patch(path).json(Map.of("enabled", false)).send().expect(200);
            owner.post(path + "/ping").send().expect(409);
            owner.post(path + "/replay-failed").send().expect(409);
            assertThat(create(Map.of("url", hooks.url("/"), "event_types", List.of("webhook_endpoint.ping")))
                            .expect(400)
                            .text("/errors/0/path"))
                    .isEqualTo("/event_types/0");
        }
    }

    @Test
    void aFailingDeliveryIsRetriedNowAndFailedOnesAreReplayedTogether() {
        var broken = new AtomicBoolean(true);
        try (ScriptedReceiver hooks =
                new ScriptedReceiver((_, out) -> ScriptedReceiver.status(out, broken.get() ? 500 : 200))) {
            String id = endpoint(hooks.url("/broken"), "message.created");
            String path = tenant.path() + "/webhook-endpoints/" + id;
            String retried = ping(path);
            JsonNode retrying = awaitState(retried, "RETRYING");
            assertThat(retrying.at("/next_attempt_at").isNull()).isFalse();
            assertThat(retrying.at("/last_status").asInt()).isEqualTo(500);
            assertThat(owner.get(path)
                            .send()
                            .json()
                            .at("/activity/last_failed_at")
                            .isTextual())
                    .isTrue();
            JsonNode chart =
                    owner.get(path + "/attempts?period=week").send().expect(200).json();
            assertThat(chart.at("/interval").asInt()).isEqualTo(86_400);
            assertThat(chart.at("/items")).hasSize(1);
            assertThat(chart.at("/items/0/succeeded").asInt()).isZero();
            assertThat(chart.at("/items/0/failed").asInt()).isPositive();
            owner.get(path + "/attempts?period=year").send().expect(400);
            assertThat(list("?state=RETRYING&endpoint=" + id).at("/items")).hasSize(1);
            assertThat(list("?state=PENDING&endpoint=" + id).at("/items")).isEmpty();
            assertThat(owner.get(tenant.path() + "/webhook-endpoints")
                            .send()
                            .json()
                            .at("/items/0/activity/retrying")
                            .asInt())
                    .isEqualTo(1);
            String failed = ping(path);
            awaitState(failed, "RETRYING");
            for (int i = 0; i < 8; i++) { // A delivery older than 84 hours is given up; requests keep the session.
                clock.advance(Duration.ofHours(11));
                owner.get(path).send().expect(200);
            }
            awaitState(failed, "FAILED");
            awaitState(retried, "FAILED");
            assertThat(list("?state=FAILED&endpoint=" + id).at("/items")).hasSize(2);
            assertThat(owner.get(path)
                            .send()
                            .json()
                            .at("/activity/last_failed_at")
                            .isNull())
                    .isFalse();
            String waiting = ping(path);
            awaitState(waiting, "RETRYING");
            String conversation = conversation();
            send(conversation, "One");
            send(conversation, "Two");
            JsonNode heldBack = dev.parley.Tenant.eventually(
                    () -> list("?state=PENDING&endpoint=" + id).at("/items/0"),
                    one -> one.path("next_attempt_at").isTextual()
                            && one.path("blocked_by").isTextual());
            assertThat(heldBack.at("/attempt_count").asInt()).isZero();
            JsonNode blocking = owner.get(delivery(heldBack.at("/blocked_by").asText()))
                    .send()
                    .expect(200)
                    .json();
            assertThat(blocking.at("/state").asText()).isEqualTo("RETRYING");
            assertThat(blocking.at("/blocked_by").isNull()).isTrue();
            assertThat(owner.get(path).send().json().at("/activity/pending").asInt())
                    .isPositive();
            broken.set(false);
            String later = heldBack.at("/id").asText();
            owner.post(delivery(later) + "/replay").send().expect(200);
            awaitState(later, "DELIVERED");
            owner.post(delivery(waiting) + "/replay").send().expect(200);
            awaitState(waiting, "DELIVERED");
            Api.Answer all = owner.post(path + "/replay-failed").send().expect(200);
            assertThat(all.json().at("/queued").asInt()).isEqualTo(2);
            assertThat(all.json().at("/more").asBoolean()).isFalse();
            awaitState(failed, "DELIVERED");
            awaitState(retried, "DELIVERED");
        }
    }

    @Test
    void aManualRetryThatFailsKeepsTheTimeOfTheNextAttempt() {
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> ScriptedReceiver.status(out, 500))) {
            String id = endpoint(hooks.url("/manual"), "message.created");
            String path = tenant.path() + "/webhook-endpoints/" + id;
            String delivery = ping(path);
            awaitState(delivery, "RETRYING");
            clock.advance(Duration.ofSeconds(6)); // The second attempt is due.
            JsonNode planned = awaitAttempts(delivery, 2);
            for (int attempts = 3; attempts < 5; attempts++) {
                owner.post(delivery(delivery) + "/replay").send().expect(200);
                JsonNode retried = awaitAttempts(delivery, attempts);
                assertThat(retried.at("/next_attempt_at")).isEqualTo(planned.at("/next_attempt_at"));
            }
            clock.advance(Duration.ofMinutes(6)); // The schedule goes on with its third attempt.
            JsonNode third = awaitAttempts(delivery, 5);
            assertThat(Duration.between(
                            clock.instant(),
                            Instant.parse(third.at("/next_attempt_at").asText())))
                    .isBetween(Duration.ofMinutes(26), Duration.ofMinutes(34));
        }
    }

    private JsonNode awaitAttempts(String id, int attempts) {
        return dev.parley.Tenant.eventually(
                () -> owner.get(delivery(id)).send().expect(200).json(),
                one -> one.at("/attempts").size() == attempts);
    }

    private String ping(String endpoint) {
        return owner.post(endpoint + "/ping").send().expect(201).text("/id");
    }

    private String delivery(String id) {
        return tenant.path() + "/webhook-deliveries/" + id;
    }

    private JsonNode awaitState(String id, String state) {
        return dev.parley.Tenant.eventually(
                () -> owner.get(delivery(id)).send().expect(200).json(),
                one -> one.at("/state").asText().equals(state));
    }

    @Test
    void deliveriesAreForgottenAfterThirtyDays() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            endpoint(hooks.url("/old"), "message.created");
            send(conversation(), "Hello");
            dev.parley.Tenant.eventually(
                    () -> list("?state=DELIVERED"), page -> page.at("/items").size() == 2);
            deletionJob.deleteExpired();
            assertThat(kept()).isEqualTo(2);
            clock.advance(Duration.ofDays(31)); // Sessions expire too.
            deletionJob.deleteExpired();
            assertThat(kept()).isZero();
        }
    }

    private int kept() {
        return database.with(handle -> handle.select(
                        "SELECT count(*) FROM webhook_delivery WHERE organization_id = ?",
                        tenant.id().value())
                .mapTo(Integer.class)
                .one());
    }
}
