package dev.parley.webhook;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.egress.EgressRules;
import dev.parley.event.EventType;
import dev.parley.http.DashboardUser;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.RequestFilter;
import dev.parley.http.RequestValidator;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Webhook endpoints of an organization: members read them, owners and admins change them. */
@Path("/dashboard/api/organizations/{orgId}/webhook-endpoints")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: webhooks")
public final class EndpointResource {
    private static final int MAX_URL_LENGTH = 2_000;
    private static final int MAX_DESCRIPTION_LENGTH = 500;

    private final EndpointStore store;
    private final DeliveryStore deliveries;
    private final ReplayStore replays;
    private final OrganizationAccess access;
    private final EgressRules egress;
    private final IdempotencyKeys idempotency;

    EndpointResource(
            EndpointStore store,
            DeliveryStore deliveries,
            ReplayStore replays,
            OrganizationAccess access,
            EgressRules egress,
            IdempotencyKeys idempotency) {
        this.store = store;
        this.deliveries = deliveries;
        this.replays = replays;
        this.access = access;
        this.egress = egress;
        this.idempotency = idempotency;
    }

    /** A request to create an endpoint. */
    @Schema(name = "NewWebhookEndpoint")
    public record NewEndpoint(
            @Schema(required = true, minLength = 1, maxLength = MAX_URL_LENGTH, examples = "https://example.com/hooks")
            @Nullable
            String url,

            @Schema(required = true, description = "The types of events to send", examples = "[\"message.created\"]")
            @Nullable
            List<@Nullable String> eventTypes,

            @Schema(maxLength = MAX_DESCRIPTION_LENGTH) @Nullable
            String description,

            @Schema(defaultValue = "true") @Nullable Boolean enabled,

            @Schema(description = "whsec_ and 24 to 64 bytes in Base64; the organization's secret signs without it")
            @Nullable
            String secret) {
        @Override
        public String toString() {
            return "NewEndpoint[" + url + "]";
        }
    }

    /** A request to change an endpoint. */
    @Schema(name = "WebhookEndpointChange")
    public record EndpointChange(
            @Schema(minLength = 1, maxLength = MAX_URL_LENGTH) @Nullable
            String url,

            @Nullable List<@Nullable String> eventTypes,

            @Schema(maxLength = MAX_DESCRIPTION_LENGTH) @Nullable
            String description,

            @Nullable Boolean enabled,

            @Schema(description = "The previous secret stays valid for 24 hours") @Nullable
            String secret,

            @Schema(description = "true returns to the organization's secret") @Nullable
            Boolean useOrganizationSecret) {
        @Override
        public String toString() {
            return "EndpointChange[" + url + "]";
        }
    }

    /** An endpoint with its latest deliveries. */
    public record WebhookEndpointDetails(@JsonUnwrapped WebhookEndpoint endpoint, EndpointActivity activity) {}

    /** The result of replaying the failed deliveries. */
    @Schema(name = "ReplayedDeliveries")
    public record Replayed(
            @Schema(description = "How many deliveries were queued")
            int queued,

            @Schema(description = "Whether failed ones are left, because a request replays at most 500")
            boolean more) {}

    @GET
    @Operation(summary = "List webhook endpoints", description = "Newest first.")
    public Page<WebhookEndpointDetails> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        List<WebhookEndpoint> found = store.list(id, Page.after(after, WebhookEndpointId::parse), max + 1);
        return Page.of(details(id, found), max, each -> each.endpoint.id().text());
    }

    @POST
    @Operation(
            summary = "Create a webhook endpoint",
            description = "Owners and admins. It receives the events of all changes after the response.")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            content = @Content(schema = @Schema(implementation = WebhookEndpoint.class)))
    @APIResponse(responseCode = "409", description = "The organization has the maximum number of endpoints")
    public Response create(
            @PathParam("orgId") String orgId,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            NewEndpoint requested,
            @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        var validator = new RequestValidator();
        String url = url(validator.text(requested.url, "/url", 1, MAX_URL_LENGTH), validator);
        String description = requested.description == null
                ? ""
                : validator.text(requested.description, "/description", 0, MAX_DESCRIPTION_LENGTH);
        if (requested.eventTypes == null) {
            validator.add(Violation.missing("/event_types"));
        }
        Set<EventType> types = types(requested.eventTypes == null ? List.of() : requested.eventTypes, validator);
        Optional<SigningSecret> secret = secret(requested.secret, validator);
        validator.done();
        boolean enabled = requested.enabled == null || requested.enabled;
        var claim = IdempotencyKeys.claim(id, "POST " + RequestFilter.path(request), idempotencyKey, requested);
        Response response = idempotency.once(claim, handle -> {
            WebhookEndpoint created = store.create(
                            handle, id, url, description, types, enabled, secret, person.createdBy())
                    .orElseThrow(() -> ApiProblem.of(
                            ProblemKind.CONFLICT,
                            "An organization may have " + EndpointStore.MAX_PER_ORGANIZATION + " webhook endpoints."));
            return new StoredResponse(201, null, StrictJson.write(created));
        });
        store.awaitVisibleOnAllNodes();
        return response;
    }

    @GET
    @Path("/{endpointId}")
    @Operation(summary = "Read a webhook endpoint")
    public WebhookEndpointDetails get(
            @PathParam("orgId") String orgId,
            @PathParam("endpointId") String endpointId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        WebhookEndpoint found = find(id, endpointId);
        IfMatch.addTag(request, found.revision());
        return details(id, List.of(found)).getFirst();
    }

    @POST
    @Path("/{endpointId}/ping")
    @ResponseStatus(201)
    @Operation(
            summary = "Send a test event",
            description =
                    "Owners and admins. Sends a signed `webhook_endpoint.ping` event with the endpoint as its data, like"
                            + " any other delivery. The response is the delivery; read it again for its result.")
    @APIResponseSchema(value = WebhookDelivery.class, responseCode = "201", responseDescription = "Queued")
    @APIResponse(responseCode = "409", description = "The endpoint is disabled")
    public WebhookDelivery ping(
            @PathParam("orgId") String orgId,
            @PathParam("endpointId") String endpointId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return replays.ping(id, find(id, endpointId))
                .flatMap(delivery -> deliveries.find(id, delivery))
                .orElseThrow(EndpointResource::disabled);
    }

    @POST
    @Path("/{endpointId}/replay-failed")
    @Operation(
            summary = "Replay the failed deliveries of an endpoint",
            description =
                    "Owners and admins. Replays failed deliveries, oldest first, and sends those that wait for their"
                            + " next attempt now.")
    @APIResponseSchema(value = Replayed.class, responseCode = "200", responseDescription = "Queued")
    @APIResponse(responseCode = "409", description = "The endpoint is disabled")
    public Replayed replayFailed(
            @PathParam("orgId") String orgId,
            @PathParam("endpointId") String endpointId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        WebhookEndpoint endpoint = find(id, endpointId);
        if (!endpoint.enabled()) {
            throw disabled();
        }
        ReplayStore.FailedReplay replay = replays.replayFailed(id, endpoint);
        return new Replayed(replay.queued(), replay.more());
    }

    private WebhookEndpoint find(OrganizationId organization, String endpointId) {
        return store.find(organization, endpoint(endpointId))
                .orElseThrow(() -> ApiProblem.notFound("webhook endpoint"));
    }

    private List<WebhookEndpointDetails> details(OrganizationId organization, List<WebhookEndpoint> endpoints) {
        Map<WebhookEndpointId, EndpointActivity> activity = deliveries.activity(
                organization, endpoints.stream().map(WebhookEndpoint::id).toList());
        return endpoints.stream()
                .map(each -> new WebhookEndpointDetails(each, activity.getOrDefault(each.id(), EndpointActivity.NONE)))
                .toList();
    }

    private static ApiProblem disabled() {
        return ApiProblem.of(ProblemKind.CONFLICT, "The endpoint is disabled. Enable it first.");
    }

    @PATCH
    @Path("/{endpointId}")
    @Operation(
            summary = "Change a webhook endpoint",
            description = "Owners and admins. Pending deliveries of a disabled endpoint are cancelled when they "
                    + "become due.")
    public WebhookEndpoint change(
            @PathParam("orgId") String orgId,
            @PathParam("endpointId") String endpointId,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            EndpointChange requested,
            @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        WebhookEndpointId endpoint = endpoint(endpointId);
        var validator = new RequestValidator();
        String url =
                requested.url == null ? null : url(validator.text(requested.url, "/url", 1, MAX_URL_LENGTH), validator);
        String description = requested.description == null
                ? null
                : validator.text(requested.description, "/description", 0, MAX_DESCRIPTION_LENGTH);
        Set<EventType> types = requested.eventTypes == null ? null : types(requested.eventTypes, validator);
        Optional<SigningSecret> secret = secret(requested.secret, validator);
        boolean organizations = Boolean.TRUE.equals(requested.useOrganizationSecret);
        validator.require(
                secret.isEmpty() || !organizations,
                "/use_organization_secret",
                "Either '/secret' or '/use_organization_secret' can be set.");
        validator.done();
        var change = new EndpointStore.EndpointUpdate(
                url, description, types, requested.enabled, secret.orElse(null), organizations);
        WebhookEndpoint changed = store.change(id, endpoint, change, person.createdBy(), IfMatch.of(ifMatch))
                .orElseThrow(() -> ApiProblem.notFound("webhook endpoint"));
        IfMatch.addTag(request, changed.revision());
        store.awaitVisibleOnAllNodes();
        return changed;
    }

    @DELETE
    @Path("/{endpointId}")
    @Operation(
            summary = "Delete a webhook endpoint",
            description = "Owners and admins. Pending deliveries are cancelled.")
    @APIResponse(responseCode = "204", description = "Deleted")
    public void delete(
            @PathParam("orgId") String orgId,
            @PathParam("endpointId") String endpointId,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        if (!store.delete(id, endpoint(endpointId), IfMatch.of(ifMatch))) {
            throw ApiProblem.notFound("webhook endpoint");
        }
    }

    private static WebhookEndpointId endpoint(String text) {
        return RequestValidator.pathId(text, "webhook endpoint", WebhookEndpointId::parse);
    }

    private String url(String url, RequestValidator validator) {
        if (!validator.hasViolations()) {
            try {
                egress.checkResolving(url).ifPresent(detail -> validator.add(Violation.invalid("/url", detail)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        return url;
    }

    private static Set<EventType> types(List<@Nullable String> names, RequestValidator validator) {
        Set<EventType> types = EnumSet.noneOf(EventType.class);
        validator.require(!names.isEmpty(), "/event_types", "'/event_types' must name at least one type.");
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Optional<EventType> type =
                    name == null ? Optional.empty() : EventType.of(name).filter(EventType::isSubscribable);
            type.ifPresent(types::add);
            String path = "/event_types/" + i;
            validator.require(type.isPresent(), path, "'" + path + "' must be a type such as message.created.");
        }
        return types;
    }

    private static Optional<SigningSecret> secret(@Nullable String text, RequestValidator validator) {
        if (text == null) {
            return Optional.empty();
        }
        Optional<SigningSecret> secret = SigningSecret.parse(text);
        validator.require(secret.isPresent(), "/secret", "'/secret' must be 'whsec_' and 24 to 64 bytes in Base64.");
        return secret;
    }
}
