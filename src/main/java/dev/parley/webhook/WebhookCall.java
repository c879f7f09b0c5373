package dev.parley.webhook;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.EgressRules;
import dev.parley.id.EventId;
import dev.parley.webhook.core.Answer;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends one webhook, signed as Standard Webhooks 1.0 says. The whole answer must come within {@link #TIMEOUT}; of its
 * body 64 KiB are read, so that the connection can be used again, and the first KiB is kept.
 */
@Singleton
public final class WebhookCall {
    static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int KEPT_BYTES = 1024;
    private static final int READ_BYTES = 64 * 1024;
    private static final int CONNECTIONS_PER_HOST = 128;
    private static final String CONTENT_TYPE = "application/json";

    private final EgressClient client;
    private final Clock clock;

    /** An attempt as it is written down, and what the schedule makes of it. */
    record Made(Attempt attempt, Answer answer) {}

    private record Got(int status, Optional<Duration> retryAfter, String body) {}

    public WebhookCall(EgressRules rules, Clock clock) {
        this.client = new EgressClient(rules, CONNECTIONS_PER_HOST, Turns.PLACES);
        this.clock = clock;
    }

    void stop(@Observes @Priority(120) ShutdownEvent event) {
        client.close();
    }

    /** What is sent beside the signature, for people to see. */
    static Map<String, String> headers(EventId event, Instant at) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", CONTENT_TYPE);
        headers.put("User-Agent", "Parley");
        headers.put("webhook-id", event.webhookId());
        headers.put("webhook-timestamp", Long.toString(at.getEpochSecond()));
        return headers;
    }

    Made send(String url, List<SigningSecret> secrets, EventId event, byte[] payload, int number)
            throws InterruptedException {
        Instant at = clock.instant();
        String id = event.webhookId();
        EgressRequest request = EgressRequest.post(url, CONTENT_TYPE, payload)
                .withHeader("webhook-id", id)
                .withHeader("webhook-timestamp", Long.toString(at.getEpochSecond()))
                .withHeader("webhook-signature", SigningSecret.sign(secrets, id, at.getEpochSecond(), payload))
                .withDeadline(TIMEOUT)
                .withMaxResponseBytes(Long.MAX_VALUE);
        long begun = System.nanoTime();
        try {
            Got got = client.stream(request, (head, body) -> read(head, body, at));
            var answer = new Answer.Status(got.status, got.retryAfter);
            return new Made(new Attempt(number, at, millis(begun), got.status, got.body, null), answer);
        } catch (EgressException failed) {
            return new Made(new Attempt(number, at, millis(begun), null, null, failed.sentence()), new Answer.None());
        } catch (IOException failed) {
            String sentence = "The connection failed or was cut.";
            return new Made(new Attempt(number, at, millis(begun), null, null, sentence), new Answer.None());
        }
    }

    private static Got read(EgressResponse.Head head, InputStream body, Instant at) throws IOException {
        byte[] kept = body.readNBytes(KEPT_BYTES);
        byte[] rest = new byte[8192];
        int read = kept.length;
        while (read >= KEPT_BYTES && read < READ_BYTES) {
            int more = body.read(rest);
            if (more < 0) {
                break;
            }
            read += more;
        }
        if (kept.length < KEPT_BYTES) {
            var _ = body.read(); // the end, without which the connection could not be used again
        }
        String text = new String(kept, StandardCharsets.UTF_8).replace('\0', '\uFFFD');
        return new Got(head.status(), head.retryAfter(at), text);
    }

    private static int millis(long begun) {
        return (int) Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }
}
