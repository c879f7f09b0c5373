package dev.parley.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The latency of other requests while 500 chat replies are streamed to a reader each, word by word.
 *
 * @param before the most memory that the service had before, also during as many replies without a reader, in MiB
 * @param most the most that it had when the replies had been streamed, in MiB
 * @param deltas how many deltas the readers received
 */
record StreamedReplies(LatencyPairs latency, long before, long most, long deltas) {
    private static final int COUNT = 500;
    private static final int PAIRS = 3;
    private static final int SECONDS = 10;
    private static final int SETTLE_SECONDS = 4;
    private static final int WARM_UP_SECONDS = 30;

    /** About 50 words, one every 500 ms: a reply outlasts a measurement. */
    private static final String QUESTION =
            "offline:stream 500 of the invoice of last week, which seems too high to the customer who wrote to us about it"
                    + " on the phone, and who asks for the sum";

    double ratio() {
        return latency.ratio();
    }

    String text() {
        return "%s; memory %d MiB before, %d MiB at most (%+d); %,d deltas"
                .formatted(
                        latency.text("GET", "POST", "%,d streamed replies".formatted(COUNT)),
                        before,
                        most,
                        most - before,
                        deltas);
    }

    static StreamedReplies measure(Service service, Tenant tenant) {
        var api = new Api(service.url());
        api.key(tenant.key());
        List<String> streamed = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            streamed.add(Tenant.conversation(api, Map.of()));
        }
        PacedRequests others = Hostile.others(service, tenant);
        ask(api, streamed);
        others.run(WARM_UP_SECONDS);
        long before = Usage.memory(service.pid(), "VmHWM");
        var deltas = new AtomicLong();
        LatencyPairs latency = LatencyPairs.measure(others, PAIRS, SECONDS, SETTLE_SECONDS, () -> {
            List<Socket> readers = new ArrayList<>();
            for (String conversation : streamed) {
                readers.add(follow(service, tenant, conversation, deltas));
            }
            ask(api, streamed);
            return () -> readers.forEach(Readers::close);
        });
        return new StreamedReplies(latency, before, Usage.memory(service.pid(), "VmHWM"), deltas.get());
    }

    private static void ask(Api api, List<String> conversations) {
        for (String conversation : conversations) {
            api.call(
                    "POST",
                    "/developer/api/messages",
                    Map.of("conversation_id", conversation, "content_type", "text", "content", QUESTION));
        }
    }

    private static Socket follow(Service service, Tenant tenant, String conversation, AtomicLong deltas) {
        try {
            Socket socket = Readers.open(service, tenant, conversation);
            socket.setSoTimeout(0);
            Thread.ofVirtual().start(() -> {
                try (InputStream in = socket.getInputStream()) {
                    byte[] buffer = new byte[4_096];
                    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                        deltas.addAndGet(count(new String(buffer, 0, read, StandardCharsets.UTF_8)));
                    }
                } catch (IOException e) {
                    // The socket is closed when the time is over.
                }
            });
            return socket;
        } catch (IOException e) {
            throw new BenchException("A stream of live events broke: " + e.getMessage());
        }
    }

    private static long count(String text) {
        return text.split("event: message.delta", -1).length - 1L;
    }
}
