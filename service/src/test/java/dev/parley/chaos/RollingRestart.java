package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.json.StrictJson;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Restarts the nodes one after the other while clients send requests through a proxy, and checks every response. */
final class RollingRestart {
    private static final int CLIENTS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<ChaosNode> nodes;
    private final ChaosTenant tenant;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> stored = new ConcurrentLinkedQueue<>();
    private final AtomicInteger completed = new AtomicInteger();
    private volatile boolean over;

    RollingRestart(List<ChaosNode> nodes, ChaosTenant tenant) {
        this.nodes = nodes;
        this.tenant = tenant;
    }

    /** Fails if any request fails, or if a message is missing afterwards. */
    void run() throws Exception {
        try (var proxy = new LoadBalancer(HttpVersion.HTTP_1_1);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (ChaosNode node : nodes) {
                proxy.add(node.name(), node.port(), node.at("/health/ready"));
                await(() -> proxy.passesTo(node.name()));
            }
            String conversation =
                    send(proxy, "POST", "/conversations", Map.of()).get("id").asText();
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> post(proxy, conversation)));
                clients.add(threads.submit(() -> trigger(proxy)));
            }
            try {
                for (ChaosNode node : nodes) {
                    awaitTraffic();
                    node.shutDown();
                    awaitTraffic();
                    node.start();
                    await(() -> proxy.passesTo(node.name()));
                }
                awaitTraffic();
            } finally {
                over = true;
            }
            for (Future<?> client : clients) {
                client.get();
            }
            assertThat(failures).isEmpty();
            Set<String> listed = new HashSet<>();
            send(proxy, "GET", "/conversations/" + conversation + "/messages", null)
                    .forEach(message -> listed.add(message.get("id").asText()));
            assertThat(listed).containsAll(stored);
        }
        http.close();
    }

    /** Waits until clients got further responses of both kinds. */
    private void awaitTraffic() throws InterruptedException {
        int messages = stored.size() + 50;
        int instances = completed.get() + 10;
        await(() -> !failures.isEmpty() || (stored.size() >= messages && completed.get() >= instances));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            ChaosClient.pause(20);
        }
    }

    private boolean post(LoadBalancer proxy, String conversation) throws Exception {
        while (!over) {
            JsonNode message = send(
                    proxy,
                    "POST",
                    "/messages",
                    Map.of("conversation_id", conversation, "content_type", "text", "content", "offline:wait 0"));
            stored.add(message.at("/id").asText());
            ChaosClient.pause(20);
        }
        return true;
    }

    /** The task takes long enough for a shutdown to begin meanwhile. */
    private boolean trigger(LoadBalancer proxy) throws Exception {
        String path = "/workflows/" + tenant.workflows().get("one") + "/trigger/sync?wait_seconds=30";
        while (!over) {
            JsonNode instance = send(proxy, "POST", path, Map.of("human_msg", "offline:wait 150"));
            if (instance.at("/status").asText().equals("COMPLETED")) {
                completed.incrementAndGet();
            } else {
                failures.add("trigger: " + instance);
            }
        }
        return true;
    }

    private JsonNode send(LoadBalancer proxy, String method, String path, @Nullable Object body) throws Exception {
        var request = HttpRequest.newBuilder(proxy.at("/developer/api" + path))
                .timeout(LIMIT)
                .header("Authorization", tenant.api().header("Authorization"))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(StrictJson.write(body)))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                failures.add(method + " " + path + ": " + response.statusCode() + " " + response.body());
            }
            return StrictJson.mapper()
                    .readTree(
                            response.body().startsWith("{") || response.body().startsWith("[")
                                    ? response.body()
                                    : "{}");
        } catch (IOException e) {
            failures.add(method + " " + path + ": " + e);
            return StrictJson.mapper().createObjectNode();
        }
    }
}
