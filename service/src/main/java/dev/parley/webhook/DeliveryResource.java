package dev.parley.webhook;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.db.Database;
import dev.parley.event.EventStore;
import dev.parley.event.EventType;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.json.RawJson;
import dev.parley.id.ConversationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ViolationCode;
import dev.parley.webhook.DeliveryStore.DeliveryFilter;
import dev.parley.webhook.DeliveryStore.ScannedDelivery;
import dev.parley.webhook.run.DeliveryAttempt;
import dev.parley.webhook.run.DeliveryState;
import dev.parley.webhook.run.WebhookCall;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Webhook deliveries: members read them, owners and admins replay them. */
@Path("/dashboard/api/organizations/{orgId}/webhook-deliveries")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Webhooks")
@Access(MEMBER)
public final class DeliveryResource {
    private final Database database;
    private final DeliveryStore store;
    private final EventStore events;
    private final WebhookReplays replays;
    private final Clock clock;

    DeliveryResource(Database database, WebhookReplays replays, Clock clock) {
        this.database = database;
        this.store = database.statements(DeliveryStore.class);
        this.events = database.statements(EventStore.class);
        this.replays = replays;
        this.clock = clock;
    }

    /** A delivery with its payload and all its attempts. */
    public record WebhookDeliveryDetails(
            @JsonUnwrapped WebhookDelivery delivery,

            @Schema(
                    description = "The body of the request, for owners and admins; null if the event was deleted",
                    nullable = true)
            @Nullable
            RawJson payload,

            List<WebhookAttempt> attempts) {}

    /** One attempt. */
    public record WebhookAttempt(
            @JsonUnwrapped DeliveryAttempt attempt,

            @Schema(description = "Headers of the request, without the signature")
            Map<String, String> requestHeaders) {}

    @GET
    @Operation(
            summary = "List webhook deliveries",
            description = "Newest first, from the last 30 days. A page may have fewer items than its limit and still be"
                    + " followed by another.")
    public Page<WebhookDelivery> list(
            @BeanParam MemberRequest member,
            @BeanParam PageRequest page,
            @QueryParam("conversation") @Nullable ConversationId conversation,
            @QueryParam("endpoint") @Nullable WebhookEndpointId endpoint,
            @QueryParam("state") @Nullable DeliveryState state,
            @Parameter(schema = @Schema(implementation = EventType.class)) @QueryParam("type") @Nullable String type) {
        var validator = new RequestValidator();
        boolean isType = type == null || EventType.of(type).isPresent();
        validator.requireParameter(isType, ViolationCode.NOT_ONE_OF, "type", "'type' is not a valid filter value.");
        validator.done();
        var filter = new DeliveryFilter(conversation, endpoint, state == null ? null : state.name(), type);
        List<ScannedDelivery> rows = store.scan(
                member.organization(),
                filter,
                filter.range(),
                page.after(WebhookDeliveryId::parse),
                page.rows(),
                clock.instant());
        boolean isFull = rows.size() == page.rows();
        List<ScannedDelivery> shown = isFull ? rows.subList(0, rows.size() - 1) : rows;
        boolean more = isFull || (!rows.isEmpty() && rows.getLast().scanned() == DeliveryStore.MAX_SCANNED_ROWS);
        return new Page<>(
                shown.stream()
                        .filter(ScannedDelivery::matches)
                        .map(ScannedDelivery::delivery)
                        .toList(),
                more ? shown.getLast().delivery().id().text() : null);
    }

    @GET
    @Path("/{deliveryId}")
    @Operation(summary = "Read a webhook delivery with its attempts")
    public WebhookDeliveryDetails get(@BeanParam MemberRequest member, @PathParam("deliveryId") WebhookDeliveryId id) {
        return details(member, id);
    }

    @POST
    @Path("/{deliveryId}/replay")
    @Access(ADMIN)
    @Operation(
            summary = "Replay a webhook delivery",
            description = "A delivery that waits for its next attempt is sent now; if the attempt fails, the"
                    + " next one remains at its planned time. For a delivery behind an earlier one (blocked_by),"
                    + " the earlier one is sent now, and this one follows once that is accepted. A finished"
                    + " delivery gets a new schedule. The webhook-id stays the same, so that receivers can detect"
                    + " duplicates.")
    @APIResponseSchema(
            value = WebhookDeliveryDetails.class,
            responseCode = "200",
            responseDescription = "The delivery was queued")
    @APIResponse(
            responseCode = "409",
            description = "The delivery is pending, or its event or endpoint no longer exists")
    public WebhookDeliveryDetails replay(
            @BeanParam MemberRequest member, @PathParam("deliveryId") WebhookDeliveryId id) {
        replays.replay(member.organization(), id);
        return details(member, id);
    }

    /** As of one moment. Members get no payload: it may be a ticket that they must not see. */
    private WebhookDeliveryDetails details(MemberRequest member, WebhookDeliveryId id) {
        return database.snapshot(_ -> {
            WebhookDelivery delivery = store.find(member.organization(), id, clock.instant())
                    .orElseThrow(() -> ApiProblem.notFound("webhook delivery"));
            RawJson payload = member.role().isAtLeast(Role.ADMIN)
                    ? events.find(member.organization(), delivery.eventId())
                            .map(event -> new RawJson(event.payload()))
                            .orElse(null)
                    : null;
            List<WebhookAttempt> attempts = store.attempts(member.organization(), id).stream()
                    .map(attempt -> new WebhookAttempt(attempt, WebhookCall.headers(delivery.eventId(), attempt.at())))
                    .toList();
            return new WebhookDeliveryDetails(delivery, payload, attempts);
        });
    }
}
