package dev.parley.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Many concurrent large bodies wait for each other instead of exhausting the heap. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class BodyFilterTest {
    private static final int LARGE = 120_000;
    private static final Pattern WAITING = Pattern.compile("(?m)^parley_http_bodies_waiting(?:\\{[^}]*})? ([0-9.]+)");

    @Test
    void aSlowSenderOfLargeBodiesDelaysOnlyItself() throws Exception {
        Tenant slow = Tenant.create();
        Tenant other = Tenant.create();
        String ofSlow = slow.conversation();
        String ofOther = other.conversation();
        String text = "x".repeat(2 * LARGE);
        List<Socket> senders = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            while (waiting() == 0) {
                senders.add(beginToSend(slow));
                assertThat(senders.size()).isLessThan(1_000);
            }
            other.send(ofOther, text).expect(200);
            slow.send(ofSlow, "Small ones need no room.").expect(200);
            CompletableFuture<Api.Answer> late = CompletableFuture.supplyAsync(() -> slow.send(ofSlow, text), executor);
            Tenant.eventually(BodyFilterTest::waiting, found -> found >= 2);
            assertThat(late).isNotDone();
            for (Socket sender : senders) {
                sender.close();
            }
            late.get(20, TimeUnit.SECONDS).expect(200);
        } finally {
            for (Socket sender : senders) {
                sender.close();
            }
        }
        Tenant.eventually(BodyFilterTest::waiting, found -> found == 0);
    }

    @Test
    void largeBodiesAtOnceAreAllAnswered() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        String json = "{\"conversation_id\":\"" + conversation
                + "\",\"content_type\":\"text\",\"content\":\"a\",\"metadata\":{\"many\":["
                + "{\"a\":1},".repeat(100_000) + "1]}}";
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Api.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                answers.add(CompletableFuture.supplyAsync(
                        () -> new Api()
                                .post("/developer/api/messages")
                                .key(tenant.key())
                                .json(json)
                                .send(),
                        executor));
            }
            answers.forEach(answer -> assertThat(answer.join().status()).isIn(400, 503));
        }
    }

    /** Sends the head of a request, and the first byte of its body. */
    private static Socket beginToSend(Tenant tenant) throws IOException {
        URI uri = URI.create(new Api().base());
        var socket = new Socket(uri.getHost(), uri.getPort());
        socket.getOutputStream()
                .write(("POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + tenant.key()
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + LARGE + "\r\n\r\n{")
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static double waiting() {
        Matcher found = WAITING.matcher(new Api().get("/metrics").send().body());
        assertThat(found.find()).isTrue();
        return Double.parseDouble(found.group(1));
    }
}
