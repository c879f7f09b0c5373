package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.event.Event;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.webhook.DeliveryStore.DueQueue;
import dev.parley.webhook.run.DeliveryQueue;
import dev.parley.webhook.run.DeliveryState;
import dev.parley.webhook.run.WebhookSender;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Sends deliveries on request: replays, retries before their time, and pings. A replay and a ping get a queue of their
 * own, so that they neither wait for other deliveries nor delay them.
 */
@Singleton
public final class WebhookReplays {
    /** The maximum number of deliveries that one request replays. */
    private static final int MAX_AT_ONCE = 500;

    private final Database database;
    private final DeliveryStore store;
    private final EndpointStore endpoints;
    private final EventLog events;
    private final NodeLease node;
    private final WebhookSender sender;
    private final Clock clock;

    /** The result of replaying the failed deliveries of an endpoint. */
    public record ReplayedDeliveries(
            @Schema(description = "How many deliveries were queued")
            int queued,

            @Schema(description = "Whether failed ones are left, because a request replays at most 500")
            boolean more) {}

    WebhookReplays(Database database, EventLog events, NodeLease node, WebhookSender sender, Clock clock) {
        this.database = database;
        this.store = database.statements(DeliveryStore.class);
        this.endpoints = database.statements(EndpointStore.class);
        this.events = events;
        this.node = node;
        this.sender = sender;
        this.clock = clock;
    }

    /**
     * Sends a delivery again with the same id: one that waits for its next attempt at once, a queued one after the
     * deliveries before it, and a finished one with a new schedule.
     */
    void replay(OrganizationId organization, WebhookDeliveryId id) {
        Instant now = clock.instant();
        WebhookDelivery delivery =
                store.find(organization, id, now).orElseThrow(() -> ApiProblem.notFound("webhook delivery"));
        boolean isOpen = delivery.state() == DeliveryState.RETRYING || delivery.state() == DeliveryState.PENDING;
        if (delivery.state() == DeliveryState.PENDING && delivery.nextAttemptAt() == null) {
            throw pending();
        }
        String url = delivery.url();
        boolean isEnabled = delivery.endpointId() == null
                || endpoints
                        .find(organization, delivery.endpointId())
                        .filter(WebhookEndpoint::enabled)
                        .isPresent();
        if (url == null || !isEnabled) {
            throw impossible();
        }
        String callback = delivery.endpointId() == null ? url : null;
        int queued = database.transaction(() -> queue(
                isOpen
                        ? store.wake(organization, id, now)
                        : store.restart(
                                organization,
                                List.of(id.value()),
                                callback,
                                DeliveryQueue.receiver(url),
                                node.id(),
                                now)));
        if (queued == 0) {
            throw isOpen ? pending() : impossible();
        }
    }

    private static ApiProblem pending() {
        return ApiProblem.of(ProblemKind.WRONG_STATUS, "The delivery is still waiting to be sent.");
    }

    private static ApiProblem impossible() {
        return ApiProblem.of(
                ProblemKind.CONFLICT, "The event is not kept any more, or its endpoint is disabled or deleted.");
    }

    /** Replays the failed deliveries of an enabled endpoint, oldest first, and retries those that wait. */
    ReplayedDeliveries replayFailed(OrganizationId organization, WebhookEndpoint endpoint) {
        Instant now = clock.instant();
        return database.transaction(() -> {
            List<UUID> failed = store.failed(organization, endpoint.id(), MAX_AT_ONCE + 1);
            boolean more = failed.size() > MAX_AT_ONCE;
            List<UUID> first = more ? failed.subList(0, MAX_AT_ONCE) : failed;
            String receiver = DeliveryQueue.receiver(endpoint.url());
            int queued = queue(store.wakeAll(organization, endpoint.id(), now))
                    + queue(store.restart(organization, first, null, receiver, node.id(), now));
            return new ReplayedDeliveries(queued, more);
        });
    }

    /** Sends a test event to an enabled endpoint. */
    WebhookDeliveryId ping(OrganizationId organization, WebhookEndpoint endpoint) {
        return database.transaction(handle -> {
            Event event;
            try {
                event = events.appendForReceiver(
                        handle.getConnection(),
                        organization,
                        endpoint.id().value(),
                        EventType.ENDPOINT_PING,
                        StrictJson.write(endpoint));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            queue(List.of(store.insert(
                    organization,
                    event.id(),
                    event.type().text(),
                    endpoint.id(),
                    event.sequence(),
                    DeliveryQueue.receiver(endpoint.url()),
                    node.id(),
                    clock.instant())));
            return new WebhookDeliveryId(event.id().value());
        });
    }

    private int queue(List<DueQueue> queues) {
        queues.forEach(due -> sender.queued(due.queue(), due.receiver()));
        return queues.size();
    }
}
