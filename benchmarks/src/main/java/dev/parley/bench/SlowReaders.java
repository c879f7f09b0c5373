package dev.parley.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The latency of other clients while 2,000 clients send requests and hardly read the answers: the OpenAPI document,
 * pipelined, without a key; a long list of messages; a download; a stream of events.
 *
 * <p>Idle and measured times alternate, since a single pair would show what else the machine does.
 *
 * @param pairs each an idle time and the time beside slow readers that follows it
 * @param open how many connections the service had left open at the end of the last time
 * @param memory the most that the service had, in MiB
 */
record SlowReaders(List<Pair> pairs, int open, long memory) {
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

    SlowReaders {
        pairs = List.copyOf(pairs);
    }

    /** An idle time and one beside slow readers; first the health checks, second the POSTs. */
    record Pair(PacedRequests.Both idle, PacedRequests.Both beside) {
        private double health() {
            return beside.first().p99() / idle.first().p99();
        }

        private double post() {
            return beside.second().p99() / idle.second().p99();
        }
    }

    /** The medians of the pairs' ratios, of the worse kind of request. */
    double ratio() {
        return Math.max(median(Pair::health), median(Pair::post));
    }

    String text() {
        return "p99 of health %.1f ms idle, %.1f ms beside %,d slow readers (%.2f ×); of POST %.1f ms and %.1f ms (%.2f ×); medians of %d pairs (%s ×); %,d stayed connected; %d MiB at most"
                .formatted(
                        median(pair -> pair.idle.first().p99()),
                        median(pair -> pair.beside.first().p99()),
                        COUNT,
                        median(Pair::health),
                        median(pair -> pair.idle.second().p99()),
                        median(pair -> pair.beside.second().p99()),
                        median(Pair::post),
                        pairs.size(),
                        pairs.stream()
                                .map(pair -> "%.2f/%.2f".formatted(pair.health(), pair.post()))
                                .collect(Collectors.joining(", ")),
                        open,
                        memory);
    }

    private double median(ToDoubleFunction<Pair> of) {
        return pairs.stream()
                .mapToDouble(of)
                .sorted()
                .skip(pairs.size() / 2)
                .findFirst()
                .orElseThrow();
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
        List<Pair> pairs = new ArrayList<>();
        int open = 0;
        for (int i = 0; i < PAIRS; i++) {
            PacedRequests.Both idle = others.measure(SECONDS);
            try (var readers = SlowConnections.open(service, requests, COUNT)) {
                others.run(SETTLE_SECONDS);
                pairs.add(new Pair(idle, others.measure(SECONDS)));
                open = readers.connected();
            }
        }
        return new SlowReaders(pairs, open, Usage.memory(service.pid(), "VmHWM"));
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
                SlowConnections.get("/openapi.json", "").repeat(PIPELINED).getBytes(StandardCharsets.ISO_8859_1),
                SlowConnections.get(conversations + tenant.longConversation() + "/messages", tenant.key())
                        .getBytes(StandardCharsets.ISO_8859_1),
                SlowConnections.get("/developer/api/media/files/" + file, tenant.key())
                        .getBytes(StandardCharsets.ISO_8859_1),
                SlowConnections.get(conversations + streamed + "/events?last_event_id=" + UNKNOWN_EVENT, tenant.key())
                        .getBytes(StandardCharsets.ISO_8859_1));
    }
}
