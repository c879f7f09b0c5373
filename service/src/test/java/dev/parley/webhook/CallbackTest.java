package dev.parley.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.webhook.ScriptedReceiver.Hook;
import dev.parley.webhook.secret.WebhookSecrets;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks to the callbacks of conversations, with all kinds of receivers. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class CallbackTest {
    private final Tenant tenant = Tenant.create();

    @AfterEach
    void resetClock() {
        clock().reset();
    }

    private static TestClock clock() {
        return Tenant.bean(TestClock.class);
    }

    private String conversation(String callback) {
        return tenant.post("/conversations", Map.of("config", Map.of("callback_url", callback)))
                .expect(201)
                .text("/id");
    }

    private JsonNode newest(String conversation) {
        return tenant.get("/conversations/" + conversation + "/messages")
                .expect(200)
                .json();
    }

    private String replyStatus(String conversation) {
        for (JsonNode message : newest(conversation)) {
            if (message.at("/type").asText().equals("AGENT_RESPONSE")) {
                return message.at("/status").asText();
            }
        }
        return "none";
    }

    /** The sequences in order of first arrival: complete from 1, and in order. */
    private static List<Long> firsts(List<Hook> hooks) {
        return hooks.stream().map(Hook::sequence).distinct().toList();
    }

    private static List<Long> upTo(int last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static List<Hook> await(ScriptedReceiver hooks, String path, int count) {
        return Tenant.eventually(() -> hooks.at(path), seen -> firsts(seen).size() >= count);
    }

    @Test
    void everyEventOfAConversationIsDeliveredInOrderAndSigned() throws Exception {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            String conversation = conversation(hooks.url("/c"));
            for (int i = 0; i < 5; i++) {
                tenant.send(conversation, "Message " + i).expect(200);
            }
            Tenant.eventually(
                    () -> hooks.at("/c").stream()
                            .filter(hook -> hook.type().equals("message.created"))
                            .count(),
                    count -> count == 10);
            Tenant.eventually(() -> replyStatus(conversation), "DELIVERED"::equals);
            List<Hook> seen = hooks.at("/c");
            assertThat(seen.stream().map(Hook::sequence)).isEqualTo(upTo(seen.size()));
            assertThat(seen.getFirst().json().at("/data/content").asText()).isEqualTo("Message 0");
            assertThat(seen.getFirst().json().at("/data/conversation_id").asText())
                    .isEqualTo(conversation);
            var verifier = new Webhook(Tenant.bean(WebhookSecrets.class)
                    .current(tenant.organization())
                    .secret());
            for (Hook hook : seen) {
                verifier.verify(hook.body(), headers(hook));
            }
            assertThat(seen.stream().map(Hook::id).distinct()).hasSameSizeAs(seen);
        }
    }

    private static HttpHeaders headers(Hook hook) {
        return HttpHeaders.of(
                Map.of(
                        "webhook-id", List.of(hook.id()),
                        "webhook-timestamp", List.of(hook.timestamp()),
                        "webhook-signature", List.of(hook.signature())),
                (_, _) -> true);
    }

    @Test
    void aReceiverThatFailsHalfOfTheTimeGetsEverythingInOrder() {
        var count = new AtomicInteger();
        try (ScriptedReceiver hooks = new ScriptedReceiver(
                (_, out) -> ScriptedReceiver.status(out, count.incrementAndGet() % 2 == 0 ? 200 : 500))) {
            String conversation = conversation(hooks.url("/half"));
            for (int i = 0; i < 3; i++) {
                tenant.send(conversation, "Message " + i).expect(200);
            }
            List<Hook> seen = Tenant.eventually(
                    () -> {
                        clock().advance(Duration.ofSeconds(1));
                        return hooks.at("/half");
                    },
                    all -> firsts(all).size() >= 9);
            assertThat(firsts(seen)).isEqualTo(upTo(firsts(seen).size()));
            // A failed webhook is repeated with the same id.
            Map<Long, List<String>> ids = new java.util.HashMap<>();
            seen.forEach(hook ->
                    ids.computeIfAbsent(hook.sequence(), _ -> new ArrayList<>()).add(hook.id()));
            assertThat(ids.values()).allMatch(same -> same.stream().distinct().count() == 1);
        }
    }

    @Test
    void aReceiverThatIsDownForAnHourGetsEverythingAfterwards() {
        String url;
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            url = hooks.url("/down");
        }
        String conversation = conversation(url);
        for (int i = 0; i < 4; i++) {
            tenant.send(conversation, "Message " + i).expect(200);
        }
        Tenant.eventually(
                () -> {
                    clock().advance(Duration.ofMinutes(1));
                    return attempts(conversation);
                },
                count -> count >= 3);
        assertThat(replyStatus(conversation)).isEqualTo("PROCESSING");
        try (ScriptedReceiver back =
                ScriptedReceiver.on(java.net.URI.create(url).getPort())) {
            List<Hook> seen = Tenant.eventually(
                    () -> {
                        clock().advance(Duration.ofMinutes(10));
                        return back.at("/down");
                    },
                    all -> all.stream()
                                    .filter(hook -> hook.type().equals("message.created"))
                                    .count()
                            >= 8);
            assertThat(firsts(seen)).isEqualTo(upTo(firsts(seen).size()));
            Tenant.eventually(() -> replyStatus(conversation), "DELIVERED"::equals);
        }
    }

    private int attempts(String conversation) {
        return Tenant.bean(dev.parley.db.Database.class)
                .with(handle -> handle.select("""
                                SELECT coalesce(max(attempts), 0) FROM webhook_delivery
                                WHERE organization_id = ? AND conversation_id = ?::uuid""", tenant.organization().value(), conversation)
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aMessageWhoseCallbackIsGivenUpHasFailed() {
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> ScriptedReceiver.status(out, 503))) {
            String conversation = conversation(hooks.url("/never"));
            tenant.send(conversation, "Hello").expect(200);
            List<Duration> pauses = List.of(
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2),
                    Duration.ofHours(5),
                    Duration.ofHours(10),
                    Duration.ofHours(14),
                    Duration.ofHours(20),
                    Duration.ofHours(24));
            for (int i = 0; i < pauses.size(); i++) {
                int made = i + 1;
                Tenant.eventually(() -> attempts(conversation), count -> count == made);
                clock().advance(Duration.ofMillis(pauses.get(i).toMillis() * 110 / 100));
            }
            Tenant.eventually(() -> attempts(conversation), count -> count == 10);
            // The following events have waited so long that each gets one attempt.
            clock().advance(Duration.ofHours(9));
            Tenant.eventually(
                    () -> {
                        clock().advance(Duration.ofHours(1));
                        return replyStatus(conversation);
                    },
                    "FAILED"::equals);
            assertThat(hooks.seen().stream().filter(hook -> hook.sequence() == 1))
                    .hasSize(10);
        }
    }

    @Test
    void a410StopsFurtherDeliveries() {
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> ScriptedReceiver.status(out, 410))) {
            String conversation = conversation(hooks.url("/gone"));
            tenant.send(conversation, "Hello").expect(200);
            Tenant.eventually(() -> replyStatus(conversation), "FAILED"::equals);
            tenant.send(conversation, "Are you there?").expect(200);
            Tenant.eventually(() -> newest(conversation).size(), size -> size == 4);
            Tenant.eventually(() -> replyStatus(conversation), "FAILED"::equals);
            assertThat(hooks.seen()).hasSize(1);
        }
    }

    @Test
    void retryAfterDelaysTheNextAttempt() {
        var count = new AtomicInteger();
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> {
            if (count.incrementAndGet() == 1) {
                ScriptedReceiver.status(out, 429, "Retry-After: 600");
            } else {
                ScriptedReceiver.status(out, 204);
            }
        })) {
            String conversation = conversation(hooks.url("/later"));
            tenant.send(conversation, "Hello").expect(200);
            Tenant.eventually(() -> attempts(conversation), made -> made == 1);
            clock().advance(Duration.ofMinutes(9));
            String other = conversation(hooks.url("/other"));
            tenant.send(other, "Hello").expect(200);
            await(hooks, "/other", 1);
            assertThat(hooks.at("/later")).hasSize(1);
            clock().advance(Duration.ofMinutes(2));
            await(hooks, "/later", 3);
        }
    }

    @Test
    void aRedirectIsAFailureAndIsNotFollowed() {
        try (ScriptedReceiver other = ScriptedReceiver.willing();
                ScriptedReceiver hooks = new ScriptedReceiver(
                        (_, out) -> ScriptedReceiver.status(out, 302, "Location: " + other.url("/x")))) {
            String conversation = conversation(hooks.url("/moved"));
            tenant.send(conversation, "Hello").expect(200);
            Tenant.eventually(() -> attempts(conversation), made -> made == 1);
            assertThat(other.seen()).isEmpty();
        }
    }

    @Test
    void droppedConnectionsAreTriedAgain() {
        var count = new AtomicInteger();
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> {
            if (count.incrementAndGet() % 2 == 1) {
                throw new java.io.IOException("dropped");
            }
            ScriptedReceiver.status(out, 200);
        })) {
            String conversation = conversation(hooks.url("/drop"));
            tenant.send(conversation, "Hello").expect(200);
            List<Hook> seen = Tenant.eventually(
                    () -> {
                        clock().advance(Duration.ofSeconds(2));
                        return hooks.at("/drop");
                    },
                    all -> firsts(all).size() >= 3);
            assertThat(firsts(seen)).isEqualTo(upTo(firsts(seen).size()));
        }
    }

    @Test
    void aHugeResponseIsTruncatedAndCountsAsDelivered() {
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000000000\r\n\r\n"
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8));
            byte[] block = new byte[65536];
            for (int i = 0; i < 15_000; i++) {
                out.write(block);
            }
        })) {
            String conversation = conversation(hooks.url("/huge"));
            tenant.send(conversation, "Hello").expect(200);
            Tenant.eventually(() -> replyStatus(conversation), "DELIVERED"::equals);
            assertThat(firsts(hooks.seen())).isEqualTo(upTo(firsts(hooks.seen()).size()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"})
    void aResponseHeadCountsAsDeliveredIfTheBodyStalls(String halfOfAnAnswer) throws Exception {
        var over = new CountDownLatch(1);
        takenOnce(halfOfAnAnswer, over::await);
        over.countDown();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"})
    void aResponseHeadCountsAsDeliveredIfTheBodyIsAborted(String halfOfAnAnswer) throws Exception {
        takenOnce(halfOfAnAnswer, () -> {
            throw new java.io.IOException("cut");
        });
    }

    /** The behaviour of a receiver in the middle of its response. */
    private interface Then {
        void happens() throws java.io.IOException, InterruptedException;
    }

    private void takenOnce(String halfOfAnAnswer, Then then) throws Exception {
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> {
            out.write(("HTTP/1.1 200 OK\r\n" + halfOfAnAnswer).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            out.flush();
            then.happens();
        })) {
            String conversation = conversation(hooks.url("/half"));
            long startedAt = System.nanoTime();
            tenant.send(conversation, "Hello").expect(200);
            Tenant.eventually(() -> replyStatus(conversation), "DELIVERED"::equals);
            List<Hook> seen = await(hooks, "/half", 3);
            assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(Duration.ofSeconds(10));
            assertThat(seen.stream().map(Hook::sequence)).isEqualTo(upTo(seen.size()));
            JsonNode attempt = attempt(conversation);
            assertThat(attempt.at("/status").asInt()).isEqualTo(200);
            assertThat(attempt.at("/response").asText()).isEqualTo("half");
        }
    }

    /** The only attempt of the first delivery. */
    private JsonNode attempt(String conversation) {
        String deliveries = "/dashboard/api/organizations/" + tenant.organization() + "/webhook-deliveries";
        String first = tenant.browser()
                .get(deliveries + "?state=DELIVERED&conversation=" + conversation)
                .send()
                .expect(200)
                .text("/items/0/id");
        JsonNode attempts = tenant.browser()
                .get(deliveries + "/" + first)
                .send()
                .expect(200)
                .json()
                .path("attempts");
        assertThat(attempts).hasSize(1);
        return attempts.get(0);
    }

    @Test
    void connectionsAreUsedAgain() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            String conversation = conversation(hooks.url("/keep"));
            for (int i = 0; i < 10; i++) {
                tenant.send(conversation, "Message " + i).expect(200);
            }
            List<Hook> seen = await(hooks, "/keep", 30);
            assertThat(hooks.connections()).isLessThan(seen.size() / 3);
        }
    }

    @Test
    void aLargeMessageIsSentWhole() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            String conversation = conversation(hooks.url("/large"));
            String text = "ö".repeat(120_000);
            tenant.send(conversation, text).expect(200);
            Hook first = await(hooks, "/large", 1).getFirst();
            assertThat(first.json().at("/data/content").asText()).isEqualTo(text);
        }
    }

    /** Slow receivers must not delay deliveries to others. */
    @Test
    void oneSlowReceiverDelaysNoOther() {
        try (ScriptedReceiver quick = ScriptedReceiver.willing();
                ScriptedReceiver stuck = new ScriptedReceiver((_, out) -> {
                    out.write('H'); // then nothing, until the sender gives up
                    out.flush();
                    java.util.concurrent.locks.LockSupport.parkNanos(
                            Duration.ofSeconds(30).toNanos());
                })) {
            long alone = delay(quick, "/alone");
            for (int i = 0; i < 60; i++) {
                tenant.send(conversation(stuck.url("/stuck")), "Hello").expect(200);
            }
            Tenant.eventually(() -> stuck.seen().size(), size -> size >= 8);
            long beside = delay(quick, "/beside");
            // Allows for noise of some hundred milliseconds; waiting for a slot would take 15 s.
            assertThat(beside).isLessThan(3 * alone + Duration.ofMillis(500).toNanos());
        }
    }

    /** The median time from a message to its webhook. */
    private long delay(ScriptedReceiver hooks, String path) {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            String own = path + i;
            String conversation = conversation(hooks.url(own));
            long startedAt = System.nanoTime();
            tenant.send(conversation, "Hello").expect(200);
            delays.add(await(hooks, own, 1).getFirst().nanos() - startedAt);
        }
        return delays.stream().sorted().toList().get(4);
    }
}
