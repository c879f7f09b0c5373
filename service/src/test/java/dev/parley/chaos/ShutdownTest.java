package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node that is stopped (SIGTERM) while clients send: no response is cut off, no data lost, and other clients
 * continue.
 */
@Tag("chaos")
@Tag("all")
class ShutdownTest {
    private static final int CLIENTS = 8;

    /** Far more than can arrive in the microseconds between the last accept and the close. */
    private static final int NOT_ACCEPTED = 3;

    /** Makes the service log each accepted connection. */
    private static final String LEVEL_OF_WIRE = "QUARKUS_LOG_CATEGORY__DEV_PARLEY_HTTP_WIRE__LEVEL";

    private static final Pattern ACCEPTED = Pattern.compile("accepted /127\\.0\\.0\\.1:(\\d+)");

    /** The clients' observations until the node accepted no more connections; connections by client port. */
    private static final class Seen {
        private final Queue<String> stored = new ConcurrentLinkedQueue<>();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final Set<Integer> answered = ConcurrentHashMap.newKeySet();
        private final Set<Integer> cutOff = ConcurrentHashMap.newKeySet();
    }

    @Test
    void everyRequestIsAnsweredAndAcknowledgedDataIsStored() throws Exception {
        try (Cluster cluster = Cluster.start(ChaosOptions.shortForm(1), Map.of(LEVEL_OF_WIRE, "DEBUG"))) {
            ChaosNode stopping = cluster.nodes().getFirst();
            ChaosNode staying = cluster.nodes().getLast();
            ChaosTenant tenant = ChaosTenant.create(new ChaosClient(List.of(staying), new Random(1), Map.of()));
            String conversation = id(tenant.api().at(staying), "/developer/api/conversations", Map.of(), "/id");
            String instance = id(
                    tenant.api().at(stopping),
                    "/developer/api/workflows/" + tenant.workflows().get("chain") + "/trigger/sync?wait_seconds=0",
                    Map.of("human_msg", "offline:wait 700"),
                    "/workflow_instance_id");
            Seen seen = sendWhileItStops(stopping, tenant.api().header("Authorization"), conversation);

            assertThat(seen.wrong).isEmpty();
            assertOnlyUnacceptedAreCutOff(seen, stopping.log());
            assertThat(seen.stored).hasSizeGreaterThan(100);
            assertThat(messages(tenant.api().at(staying), conversation)).containsAll(seen.stored);
            awaitCompleted(tenant.api().at(staying), instance);
            cluster.stopAndForget();
        }
    }

    /**
     * Like for every server, the kernel resets connections that the service had not accepted before it closed the
     * socket; a load balancer has had the shutdown delay to use another node.
     */
    private static void assertOnlyUnacceptedAreCutOff(Seen seen, String log) {
        Set<Integer> accepted = ACCEPTED.matcher(log)
                .results()
                .map(line -> Integer.valueOf(line.group(1)))
                .collect(Collectors.toSet());
        assertThat(accepted).containsAll(seen.answered);
        assertThat(seen.cutOff).noneMatch(accepted::contains).hasSizeLessThanOrEqualTo(NOT_ACCEPTED);
    }

    private static Seen sendWhileItStops(ChaosNode node, String authorization, String conversation)
            throws InterruptedException {
        var seen = new Seen();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            boolean keepsAlive = i % 2 == 0;
            String json = StrictJson.write(
                    Map.of("conversation_id", conversation, "content_type", "text", "content", "offline:wait 0"));
            clients.add(Thread.ofPlatform()
                    .start(() -> sendUntilTheConnectionIsClosed(node.at("/"), authorization, json, keepsAlive, seen)));
        }
        Instant until = Instant.now().plusSeconds(20);
        while (seen.stored.size() < 200 && Instant.now().isBefore(until)) {
            ChaosClient.pause(10);
        }
        node.shutDown();
        for (Thread client : clients) {
            assertThat(client.join(Duration.ofSeconds(30))).isTrue();
        }
        return seen;
    }

    private static void sendUntilTheConnectionIsClosed(
            URI node, String authorization, String json, boolean keepsAlive, Seen seen) {
        while (true) {
            try (var connection = new RawClient(node)) {
                send(node, connection, authorization, json, keepsAlive, seen);
            } catch (IOException refused) {
                return;
            }
        }
    }

    private static boolean listens(URI node) {
        try (var _ = new RawClient(node)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void send(
            URI node, RawClient connection, String authorization, String json, boolean keepsAlive, Seen seen) {
        boolean answered = false;
        try {
            boolean more = true;
            while (more) {
                RawClient.Answer answer = connection.post("/developer/api/messages", authorization, json);
                answered = true;
                seen.answered.add(connection.localPort());
                if (answer.status() == 200) {
                    seen.stored.add(StrictJson.mapper()
                            .readTree(answer.body())
                            .at("/id")
                            .asText());
                } else if (answer.status() != 503 || !answer.closes()) {
                    seen.wrong.add(answer.toString());
                }
                more = keepsAlive && !answer.closes();
                ChaosClient.pause(5);
            }
        } catch (IOException cutOff) {
            if (answered || listens(node)) {
                seen.wrong.add(cutOff.toString());
            } else {
                seen.cutOff.add(connection.localPort());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Set<String> messages(ChaosClient client, String conversation) throws InterruptedException {
        Set<String> ids = new HashSet<>();
        client.once("GET", "/developer/api/conversations/" + conversation + "/messages", null)
                .orElseThrow()
                .json()
                .forEach(message -> ids.add(message.at("/id").asText()));
        return ids;
    }

    private static void awaitCompleted(ChaosClient client, String instance) throws InterruptedException {
        Instant until = Instant.now().plusSeconds(30);
        String status = "";
        while (!status.equals("COMPLETED") && Instant.now().isBefore(until)) {
            ChaosClient.pause(50);
            status = id(client, "/developer/api/workflow_instances/" + instance + "/status", null, "/status");
        }
        assertThat(status).isEqualTo("COMPLETED");
    }

    private static String id(ChaosClient client, String path, Object body, String pointer) throws InterruptedException {
        return client.once(body == null ? "GET" : "POST", path, body)
                .orElseThrow()
                .json()
                .at(pointer)
                .asText();
    }
}
