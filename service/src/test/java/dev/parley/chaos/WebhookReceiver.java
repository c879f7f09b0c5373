package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts webhooks and records them per conversation in the order of first arrival. Occasionally rejects one the first
 * time.
 */
final class WebhookReceiver implements AutoCloseable {
    private static final int REFUSES_ONE_OF = 100;

    private final HttpServer server;
    private final Map<String, List<Taken>> taken = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();

    /** A webhook that was answered 200 for the first time. */
    record Taken(long sequence, String type, String object) {}

    WebhookReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hooks";
    }

    int requests() {
        return requests.get();
    }

    /** The events of a conversation. */
    List<Taken> of(String conversation) {
        List<Taken> of = taken.getOrDefault(conversation, List.of());
        synchronized (of) {
            return List.copyOf(of);
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        String id = exchange.getRequestHeaders().getFirst("webhook-id");
        JsonNode body = StrictJson.mapper().readTree(exchange.getRequestBody().readAllBytes());
        if (requests.incrementAndGet() % REFUSES_ONE_OF == 0 && refused.add(id) && !ids.contains(id)) {
            answer(exchange, 500);
            return;
        }
        JsonNode data = body.get("data");
        List<Taken> conversation = taken.computeIfAbsent(conversation(data), _ -> new ArrayList<>());
        synchronized (conversation) {
            if (ids.add(id)) {
                conversation.add(new Taken(
                        data.get("sequence").asLong(),
                        body.get("type").asText(),
                        data.path("id").asText()));
            }
        }
        answer(exchange, 200);
    }

    private static String conversation(JsonNode data) {
        return data.path("conversation_id").asText();
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
