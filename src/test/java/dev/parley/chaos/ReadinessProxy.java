package dev.parley.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reverse proxy that passes each request once, to the next node whose {@code /health/ready} returned 200 at the last
 * check. It repeats nothing: a request that a node does not answer gets 502.
 */
final class ReadinessProxy implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);
    private static final int BAD_GATEWAY = 502;

    private final List<ChaosNode> nodes;
    private final Set<ChaosNode> ready = ConcurrentHashMap.newKeySet();
    private final AtomicInteger turn = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server;

    ReadinessProxy(List<ChaosNode> nodes) {
        this.nodes = List.copyOf(nodes);
        this.ready.addAll(nodes);
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::pass);
        server.setExecutor(threads);
        server.start();
        threads.execute(this::check);
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    boolean passesTo(ChaosNode node) {
        return ready.contains(node);
    }

    private void check() {
        try {
            while (true) {
                for (ChaosNode node : nodes) {
                    if (node.isReady()) {
                        ready.add(node);
                    } else {
                        ready.remove(node);
                    }
                }
                ChaosClient.pause(CHECK_INTERVAL.toMillis());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(HttpExchange exchange) throws IOException {
        List<ChaosNode> choice = nodes.stream().filter(ready::contains).toList();
        try (exchange) {
            if (choice.isEmpty()) {
                answer(exchange, BAD_GATEWAY, "no node is ready".getBytes(StandardCharsets.UTF_8));
                return;
            }
            ChaosNode node = choice.get(Math.floorMod(turn.getAndIncrement(), choice.size()));
            try {
                HttpResponse<byte[]> response =
                        http.send(request(exchange, node), HttpResponse.BodyHandlers.ofByteArray());
                answer(exchange, response.statusCode(), response.body());
            } catch (IOException e) {
                answer(exchange, BAD_GATEWAY, ("node " + node.name() + ": " + e).getBytes(StandardCharsets.UTF_8));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static HttpRequest request(HttpExchange exchange, ChaosNode node) throws IOException {
        var builder = HttpRequest.newBuilder(node.at(exchange.getRequestURI().toString()))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()));
        for (String name : List.of("Authorization", "Content-Type")) {
            List<String> values = exchange.getRequestHeaders().get(name);
            if (values != null) {
                builder.header(name, values.getFirst());
            }
        }
        return builder.build();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        http.shutdownNow();
    }
}
