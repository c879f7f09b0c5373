package dev.parley.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The latency of other clients while 2,000 clients send requests and hardly read the answers: the OpenAPI document,
 * pipelined, without a key; a long list of messages; a download; a stream of events.
 *
 * @param open how many connections the service had left open at the end of the last time
 * @param memory the most that the service had, in MiB
 */
record SlowReaders(LatencyPairs latency, int open, long memory) {
    static final int COUNT = 2_000;
    private static final int PAIRS = 3;
    private static final int SECONDS = 15;
    private static final int WARM_UP_SECONDS = 10;

    /** The service generates 2,000 large responses until all buffers are full; that load is not what is measured. */
    private static final int SETTLE_SECONDS = 12;

    private static final int PIPELINED = 6;
    private static final int MESSAGES_WITH_EVENTS = 300;

    /** An id of which nothing is known: the stream begins with the oldest event that is kept. */
    private static final String UNKNOWN_EVENT = "0192f0c1a2b37c4d8e5f60718293a4b5";

    double ratio() {
        return latency.ratio();
    }

    String text() {
        return "%s; %,d stayed connected; %d MiB at most"
                .formatted(latency.text("health", "POST", "%,d slow readers".formatted(COUNT)), open, memory);
    }

    /** @param file the path of a stored file of many megabytes */
    static SlowReaders measure(Service service, Tenant tenant, String file) {
        var api = new Api(service.url());
        api.key(tenant.key());
        // Events are stored only where there is a subscriber, such as a callback.
        String streamed = tenant.withCallback().getFirst();
        for (int i = 0; i < MESSAGES_WITH_EVENTS; i++) {
            api.call("POST", "/developer/api/messages", message(streamed));
        }
        String to = tenant.conversations().getFirst();
        var others = new PacedRequests(
                () -> api.send("GET", "/health/ready", null),
                () -> api.call("POST", "/developer/api/messages", message(to)));
        others.run(WARM_UP_SECONDS);
        List<byte[]> requests = requests(tenant, streamed, file);
        var open = new AtomicInteger();
        LatencyPairs latency = LatencyPairs.measure(others, PAIRS, SECONDS, SETTLE_SECONDS, () -> {
            SlowConnections readers = SlowConnections.open(service, requests, COUNT);
            return () -> {
                open.set(readers.connected());
                readers.close();
            };
        });
        return new SlowReaders(latency, open.get(), Usage.memory(service.pid(), "VmHWM"));
    }

    private static Map<String, Object> message(String conversation) {
        return Map.of(
                "conversation_id",
                conversation,
                "content_type",
                "text",
                "content",
                "Please look at the invoice of last week.");
    }

    private static List<byte[]> requests(Tenant tenant, String streamed, String file) {
        String conversations = "/developer/api/conversations/";
        return List.of(
                SlowConnections.get("/openapi/dashboard.json", "").repeat(PIPELINED).getBytes(StandardCharsets.ISO_8859_1),
                SlowConnections.get(conversations + tenant.longConversation() + "/messages", tenant.key())
                        .getBytes(StandardCharsets.ISO_8859_1),
                SlowConnections.get("/developer/api/media/files/" + file, tenant.key())
                        .getBytes(StandardCharsets.ISO_8859_1),
                SlowConnections.get(conversations + streamed + "/events?last_event_id=" + UNKNOWN_EVENT, tenant.key())
                        .getBytes(StandardCharsets.ISO_8859_1));
    }
}
