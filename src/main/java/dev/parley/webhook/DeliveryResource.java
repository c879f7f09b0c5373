package dev.parley.webhook;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.event.Event;
import dev.parley.event.EventType;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RawJson;
import dev.parley.http.RequestValidator;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Webhook deliveries: members read them, owners and admins replay them. */
@Path("/dashboard/api/organizations/{orgId}/webhook-deliveries")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: webhooks")
public final class DeliveryResource {
    private final DeliveryStore store;
    private final DeliveryQueueStore queues;
    private final ReplayStore replays;
    private final OrganizationAccess access;

    DeliveryResource(DeliveryStore store, DeliveryQueueStore queues, ReplayStore replays, OrganizationAccess access) {
        this.store = store;
        this.queues = queues;
        this.replays = replays;
        this.access = access;
    }

    /** A delivery with its payload and all its attempts. */
    @Schema(name = "WebhookDeliveryDetails")
    public record Details(
            @JsonUnwrapped WebhookDelivery delivery,

            @Schema(
                    description = "The body of the request, for owners and admins; null if the event was deleted",
                    nullable = true)
            @Nullable
            RawJson payload,

            List<Tried> attempts) {
        public Details {
            attempts = List.copyOf(attempts);
        }
    }

    /** One attempt. */
    @Schema(name = "WebhookAttempt")
    public record Tried(
            int number,
            Instant at,
            int durationMs,

            @Schema(description = "Headers of the request, without the signature")
            Map<String, String> requestHeaders,

            @Schema(description = "null without a complete response") @Nullable
            Integer status,

            @Schema(description = "The first KiB of the response body") @Nullable
            String response,

            @Schema(description = "Why there was no complete response") @Nullable
            String error) {
        public Tried {
            requestHeaders = Map.copyOf(requestHeaders);
        }

        static Tried of(EventId event, DeliveryAttempt attempt) {
            return new Tried(
                    attempt.number(),
                    attempt.at(),
                    attempt.durationMs(),
                    WebhookCall.headers(event, attempt.at()),
                    attempt.status(),
                    attempt.response(),
                    attempt.error());
        }
    }

    @GET
    @Operation(
            summary = "List webhook deliveries",
            description = "Newest first, from the last 30 days. A page may have fewer items than its limit and still be"
                    + " followed by another.")
    public Page<WebhookDelivery> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @QueryParam("conversation") @Nullable String conversation,
            @QueryParam("endpoint") @Nullable String endpoint,
            @QueryParam("state") @Nullable String state,
            @QueryParam("type") @Nullable String type,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        var filter = new DeliveryStore.DeliveryFilter(
                read(conversation, "conversation", ConversationId::parse),
                read(endpoint, "endpoint", WebhookEndpointId::parse),
                read(state, "state", DeliveryResource::state),
                read(type, "type", EventType::of));
        int max = Page.limit(limit);
        DeliveryStore.DeliveryPage found = store.list(id, filter, Page.after(after, WebhookDeliveryId::parse), max);
        return new Page<>(
                found.deliveries(), found.next().map(WebhookDeliveryId::text).orElse(null));
    }

    @GET
    @Path("/{deliveryId}")
    @Operation(summary = "Read a webhook delivery with its attempts")
    public Details get(
            @PathParam("orgId") String orgId,
            @PathParam("deliveryId") String deliveryId,
            @Context RoutingContext request) {
        OrganizationId id = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        Role role = access.require(DashboardUser.of(request), id, Role.MEMBER);
        return details(id, RequestValidator.pathId(deliveryId, "webhook delivery", WebhookDeliveryId::parse), role);
    }

    @POST
    @Path("/{deliveryId}/replay")
    @Operation(
            summary = "Replay a webhook delivery",
            description =
                    "Owners and admins. A delivery that waits for its next attempt is sent now; if the attempt fails, the"
                            + " next one remains at its planned time. For a delivery behind an earlier one (blocked_by),"
                            + " the earlier one is sent now, and this one follows once that is accepted. A finished"
                            + " delivery gets a new schedule. The webhook-id stays the same, so that receivers can detect"
                            + " duplicates.")
    @APIResponseSchema(value = Details.class, responseCode = "200", responseDescription = "The delivery was queued")
    @APIResponse(
            responseCode = "409",
            description = "The delivery is pending, or its event or endpoint no longer exists")
    public Details replay(
            @PathParam("orgId") String orgId,
            @PathParam("deliveryId") String deliveryId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        WebhookDeliveryId delivery = RequestValidator.pathId(deliveryId, "webhook delivery", WebhookDeliveryId::parse);
        return switch (replays.replay(id, delivery)) {
            case QUEUED -> details(id, delivery, Role.ADMIN);
            case UNKNOWN -> throw ApiProblem.notFound("webhook delivery");
            case PENDING -> throw ApiProblem.of(ProblemKind.CONFLICT, "The delivery is still waiting to be sent.");
            case IMPOSSIBLE ->
                throw ApiProblem.of(
                        ProblemKind.CONFLICT,
                        "The event is not kept any more, or its endpoint is disabled or deleted.");
        };
    }

    /** Members get no payload: it may be a ticket that they must not see. */
    private Details details(OrganizationId organization, WebhookDeliveryId id, Role role) {
        DeliveryStore.DeliveryHistory found =
                store.history(organization, id).orElseThrow(() -> ApiProblem.notFound("webhook delivery"));
        EventId eventId = found.delivery().eventId();
        Optional<Event> event = role.isAtLeast(Role.ADMIN) ? queues.event(organization, eventId) : Optional.empty();
        return new Details(
                found.delivery(),
                event.map(kept -> new RawJson(kept.payload())).orElse(null),
                found.attempts().stream()
                        .map(attempt -> Tried.of(eventId, attempt))
                        .toList());
    }

    private static Optional<DeliveryState> state(String text) {
        for (DeliveryState state : DeliveryState.values()) {
            if (state.name().equals(text)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }

    private static <T> Optional<T> read(@Nullable String value, String name, Function<String, Optional<T>> parse) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<T> read = parse.apply(value);
        if (read.isEmpty()) {
            throw ApiProblem.invalid(Violation.parameter(name, "'" + name + "' is not a valid filter value."));
        }
        return read;
    }
}
