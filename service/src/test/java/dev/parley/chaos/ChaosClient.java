package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client that uses either node at random, as behind a load balancer without health checks. */
final class ChaosClient {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();

    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private final List<ChaosNode> nodes;
    private final Random random;
    private final Map<String, String> headers;

    ChaosClient(List<ChaosNode> nodes, Random random, Map<String, String> headers) {
        this.nodes = nodes;
        this.random = random;
        this.headers = Map.copyOf(headers);
    }

    /** A response. */
    record Answer(int status, String body, Optional<String> cookie) {
        JsonNode json() {
            try {
                return StrictJson.mapper().readTree(body);
            } catch (IOException e) {
                throw new IllegalStateException("not JSON: " + body, e);
            }
        }

        boolean isOk() {
            return status >= 200 && status < 300;
        }
    }

    ChaosClient with(String name, String value) {
        var more = new java.util.HashMap<>(headers);
        more.put(name, value);
        return new ChaosClient(nodes, random, more);
    }

    /** The same client for one node only. */
    ChaosClient at(ChaosNode node) {
        return new ChaosClient(List.of(node), random, headers);
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    ChaosClient withRandom(Random own) {
        return new ChaosClient(nodes, own, headers);
    }

    /** Sends a request once; empty if there was no response, in which case the outcome is unknown. */
    Optional<Answer> once(String method, String path, @Nullable Object body) throws InterruptedException {
        List<ChaosNode> now = List.copyOf(nodes);
        ChaosNode node = now.get(random.nextInt(now.size()));
        var builder = HttpRequest.newBuilder(node.at(path)).timeout(TIMEOUT);
        headers.forEach(builder::header);
        if (body == null) {
            builder.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            builder.header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(StrictJson.write(body)));
        }
        try {
            HttpResponse<String> response = HTTP.send(builder.build(), HttpResponse.BodyHandlers.ofString());
            return Optional.of(new Answer(
                    response.statusCode(), response.body(), response.headers().firstValue("Set-Cookie")));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /**
     * Repeats a request until it gets a definite response: not 503, and not 409 while the same key is in progress. Only
     * for idempotent requests. Empty after the end of the run and its grace period.
     */
    Optional<Answer> repeatedly(String method, String path, @Nullable Object body, Clock clock)
            throws InterruptedException {
        while (!clock.isOver()) {
            Optional<Answer> answer = once(method, path, body);
            if (answer.isPresent()) {
                int status = answer.get().status();
                boolean busy = status == 503
                        || status == 429
                        || (status == 409 && answer.get().body().contains("Idempotency-Key"));
                if (!busy) {
                    return answer;
                }
            }
            pause(50 + random.nextInt(150));
        }
        return Optional.empty();
    }

    /** The end of retries. */
    interface Clock {
        boolean isOver();
    }

    static void pause(long millis) throws InterruptedException {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
