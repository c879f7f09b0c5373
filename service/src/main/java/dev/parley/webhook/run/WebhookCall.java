package dev.parley.webhook.run;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.EgressRules;
import dev.parley.id.EventId;
import dev.parley.settings.ServiceSize;
import dev.parley.webhook.core.ReceiverResponse;
import dev.parley.webhook.secret.SigningSecret;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends one webhook, signed according to Standard Webhooks 1.0. The response head must arrive within {@link #TIMEOUT}
 * and decides the result; the body from {@link ResponseCapture} is only recorded.
 */
@Singleton
public final class WebhookCall {
    static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int CONNECTIONS_PER_HOST = 128;
    private static final String CONTENT_TYPE = "application/json";

    private final EgressClient client;
    private final Clock clock;

    /** The recorded attempt, and the response for the schedule. */
    record AttemptResult(DeliveryAttempt attempt, ReceiverResponse response) {}

    public WebhookCall(EgressRules rules, Clock clock, ServiceSize size) {
        this.client = new EgressClient(
                rules, CONNECTIONS_PER_HOST, WebhookSender.limits(size).running());
        this.clock = clock;
    }

    void stop(@Observes @Priority(120) ShutdownEvent event) {
        client.close();
    }

    /** The headers other than the signature, for display. */
    public static Map<String, String> headers(EventId event, Instant at) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", CONTENT_TYPE);
        headers.put("User-Agent", "Parley");
        headers.put("webhook-id", event.webhookId());
        headers.put("webhook-timestamp", Long.toString(at.getEpochSecond()));
        return headers;
    }

    AttemptResult send(String url, List<SigningSecret> secrets, EventId event, byte[] payload, int number)
            throws InterruptedException {
        Instant at = clock.instant();
        String id = event.webhookId();
        EgressRequest request = EgressRequest.post(url, CONTENT_TYPE, payload)
                .withHeader("webhook-id", id)
                .withHeader("webhook-timestamp", Long.toString(at.getEpochSecond()))
                .withHeader("webhook-signature", SigningSecret.sign(secrets, id, at.getEpochSecond(), payload))
                .withTraceContext()
                .withDeadline(TIMEOUT)
                .withMaxResponseBytes(Long.MAX_VALUE);
        long startedAt = System.nanoTime();
        var capture = new ResponseCapture();
        String failure;
        try {
            client.stream(request, capture);
            failure = "The host did not respond.";
        } catch (EgressException failed) {
            failure = failed.detail();
        } catch (IOException failed) {
            failure = "The connection failed or was cut.";
        }
        EgressResponse.Head head = capture.head();
        return head == null
                ? new AttemptResult(
                        new DeliveryAttempt(number, at, millis(startedAt), null, null, failure),
                        new ReceiverResponse.NoResponse())
                : new AttemptResult(
                        new DeliveryAttempt(number, at, millis(startedAt), head.status(), capture.body(), null),
                        new ReceiverResponse.StatusResponse(head.status(), head.retryAfter(at)));
    }

    private static int millis(long startedAt) {
        return (int) Duration.ofNanos(System.nanoTime() - startedAt).toMillis();
    }
}
