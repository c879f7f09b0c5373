package dev.parley.webhook;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.egress.EgressRules;
import dev.parley.event.EventSubscriptions;
import dev.parley.event.EventType;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.RequestConstraints;
import dev.parley.http.constraint.Text;
import dev.parley.http.filter.RequestFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.webhook.EndpointStore.EndpointValues;
import dev.parley.webhook.WebhookReplays.ReplayedDeliveries;
import dev.parley.webhook.secret.SecretCipher;
import dev.parley.webhook.secret.SigningSecret;
import dev.parley.webhook.secret.WebhookSecrets;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
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
@Tag(name = "Webhooks")
@Access(MEMBER)
public final class EndpointResource {
    private static final int MAX_URL_LENGTH = 2_000;
    private static final int MAX_DESCRIPTION_LENGTH = 500;
    private static final String SECRET = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$";

    /** Attempts follow the delivery within this time. */
    private static final Duration LONGEST_RETRY = Duration.ofDays(4);

    private final Database database;
    private final EndpointStore store;
    private final DeliveryStore deliveries;
    private final WebhookReplays replays;
    private final EventSubscriptions subscriptions;
    private final SecretCipher cipher;
    private final EgressRules egress;
    private final IdempotencyKeys idempotency;
    private final Clock clock;

    EndpointResource(
            Database database,
            WebhookReplays replays,
            EventSubscriptions subscriptions,
            SecretCipher cipher,
            EgressRules egress,
            IdempotencyKeys idempotency,
            Clock clock) {
        this.database = database;
        this.store = database.statements(EndpointStore.class);
        this.deliveries = database.statements(DeliveryStore.class);
        this.replays = replays;
        this.subscriptions = subscriptions;
        this.cipher = cipher;
        this.egress = egress;
        this.idempotency = idempotency;
        this.clock = clock;
    }

    /** A request to create an endpoint. */
    @FurtherChecks
    @Schema(name = "NewWebhookEndpoint")
    public record NewEndpoint(
            @NotNull @Text(min = 1, max = MAX_URL_LENGTH) @Schema(examples = "https://example.com/hooks")
            String url,

            @NotNull
            @Schema(
                    type = SchemaType.ARRAY,
                    implementation = EventType.class,
                    description = "The types of events to send; not webhook_endpoint.ping",
                    examples = "[\"message.created\"]")
            List<@Nullable String> eventTypes,

            @Text(max = MAX_DESCRIPTION_LENGTH) @Nullable String description,
            @Schema(defaultValue = "true") @Nullable Boolean enabled,

            @Schema(
                    pattern = SECRET,
                    description = "whsec_ and 24 to 64 bytes in Base64; the organization's secret signs without it")
            @Nullable
            String secret) {
        @Override
        public String toString() {
            return "NewEndpoint[" + url + "]";
        }
    }

    /** A request to change an endpoint. */
    @FurtherChecks
    @Schema(name = "WebhookEndpointChange")
    public record EndpointChange(
            @Text(min = 1, max = MAX_URL_LENGTH) @Nullable String url,

            @Schema(type = SchemaType.ARRAY, implementation = EventType.class) @Nullable
            List<@Nullable String> eventTypes,

            @Text(max = MAX_DESCRIPTION_LENGTH) @Nullable String description,
            @Nullable Boolean enabled,

            @Schema(pattern = SECRET, description = "The previous secret stays valid for 24 hours") @Nullable
            String secret,

            @Schema(description = "true returns to the organization's secret") @Nullable
            Boolean useOrganizationSecret) {
        @Override
        public String toString() {
            return "EndpointChange[" + url + "]";
        }
    }

    /** A chart: intervals of one length; those without attempts are omitted. */
    @Schema(name = "WebhookAttemptChart")
    public record AttemptChart(
            @Schema(description = "Start of the first interval")
            Instant since,

            @Schema(description = "Length of an interval in seconds", examples = "3600")
            long interval,

            @Schema(description = "Oldest first; intervals without attempts are missing")
            List<AttemptCounts> items) {}

    @GET
    @Operation(summary = "List webhook endpoints", description = "Newest first.")
    public Page<WebhookEndpointDetails> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        return page.page(
                store.list(member.organization(), page.after(WebhookEndpointId::parse), page.rows()),
                each -> each.endpoint().id().text());
    }

    @POST
    @Access(ADMIN)
    @Operation(
            summary = "Create a webhook endpoint",
            description = "It receives the events of all changes after the response.")
    @APIResponseSchema(value = WebhookEndpoint.class, responseCode = "201", responseDescription = "Created")
    @APIResponse(responseCode = "409", description = "The organization has the maximum number of endpoints")
    public Response create(
            @BeanParam MemberRequest member,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            NewEndpoint requested) {
        EndpointValues values = checked(
                new EndpointChange(
                        requested.url,
                        requested.eventTypes,
                        requested.description,
                        requested.enabled,
                        requested.secret,
                        false),
                RequestValidator.of(requested));
        OrganizationId organization = member.organization();
        var claim = IdempotencyKeys.claim(
                organization, "POST " + RequestFilter.path(member.http()), idempotencyKey, requested);
        Response response = idempotency.once(claim, _ -> {
            store.lockOrganization(organization);
            WebhookEndpoint created = store.insert(
                            organization,
                            WebhookEndpointId.next(),
                            values,
                            encrypted(organization, values),
                            member.createdBy(),
                            clock.instant())
                    .orElseThrow(() -> ApiProblem.of(
                            ProblemKind.LIMIT_REACHED,
                            "An organization may have " + EndpointStore.MAX_PER_ORGANIZATION + " webhook endpoints."));
            subscribe(organization);
            return new StoredResponse(201, null, StrictJson.write(created));
        });
        subscriptions.awaitVisible();
        return response;
    }

    @GET
    @Path("/{endpointId}")
    @Operation(summary = "Read a webhook endpoint")
    public WebhookEndpointDetails get(@BeanParam MemberRequest member, @PathParam("endpointId") WebhookEndpointId id) {
        WebhookEndpointDetails found =
                store.details(member.organization(), id).orElseThrow(() -> ApiProblem.notFound("webhook endpoint"));
        IfMatch.addTag(member.http(), found.endpoint().revision());
        return found;
    }

    @GET
    @Path("/{endpointId}/attempts")
    @Operation(
            operationId = "countWebhookAttempts",
            summary = "Count the attempts of a webhook endpoint",
            description = "Successes, failures and response times per hour of the last 24 hours, or per day of the last"
                    + " 7 days, of the newest " + AttemptCounts.DELIVERIES + " deliveries.")
    public AttemptChart countAttempts(
            @BeanParam MemberRequest member,
            @PathParam("endpointId") WebhookEndpointId id,
            @Parameter(
                            schema =
                                    @Schema(
                                            enumeration = {"day", "week"},
                                            defaultValue = "day"))
                    @QueryParam("period")
                    @Nullable
                    String period) {
        var validator = new RequestValidator();
        boolean isWeek = "week".equals(period);
        validator.requireParameter(
                period == null || isWeek || period.equals("day"),
                ViolationCode.NOT_ONE_OF,
                "period",
                "'period' must be day or week.",
                Map.of("allowed", List.of("day", "week")));
        validator.done();
        if (store.find(member.organization(), id).isEmpty()) {
            throw ApiProblem.notFound("webhook endpoint");
        }
        Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        Instant since = hour.minus(isWeek ? Duration.ofDays(7) : Duration.ofDays(1));
        long interval = (isWeek ? Duration.ofDays(1) : Duration.ofHours(1)).toSeconds();
        UUID oldest = UuidV7.floor(since.minus(LONGEST_RETRY));
        return new AttemptChart(
                since, interval, deliveries.attemptCounts(member.organization(), id, oldest, since, interval));
    }

    @POST
    @Path("/{endpointId}/ping")
    @Access(ADMIN)
    @ResponseStatus(201)
    @Operation(
            summary = "Send a test event",
            description = "Sends a signed `webhook_endpoint.ping` event with the endpoint as its data, like"
                    + " any other delivery. The response is the delivery; read it again for its result.")
    @APIResponseSchema(value = WebhookDelivery.class, responseCode = "201", responseDescription = "Queued")
    @APIResponse(responseCode = "409", description = "The endpoint is disabled")
    public WebhookDelivery ping(@BeanParam MemberRequest member, @PathParam("endpointId") WebhookEndpointId id) {
        WebhookDeliveryId delivery = replays.ping(member.organization(), enabled(member, id));
        return deliveries.find(member.organization(), delivery, clock.instant()).orElseThrow();
    }

    @POST
    @Path("/{endpointId}/replay-failed")
    @Access(ADMIN)
    @Operation(
            operationId = "replayFailedDeliveries",
            summary = "Replay the failed deliveries of an endpoint",
            description = "Replays failed deliveries, oldest first, and sends those that wait for their"
                    + " next attempt now.")
    @APIResponseSchema(value = ReplayedDeliveries.class, responseCode = "200", responseDescription = "Queued")
    @APIResponse(responseCode = "409", description = "The endpoint is disabled")
    public ReplayedDeliveries replayFailed(
            @BeanParam MemberRequest member, @PathParam("endpointId") WebhookEndpointId id) {
        return replays.replayFailed(member.organization(), enabled(member, id));
    }

    private WebhookEndpoint enabled(MemberRequest member, WebhookEndpointId id) {
        WebhookEndpoint endpoint =
                store.find(member.organization(), id).orElseThrow(() -> ApiProblem.notFound("webhook endpoint"));
        if (!endpoint.enabled()) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The endpoint is disabled. Enable it first.");
        }
        return endpoint;
    }

    @PATCH
    @Path("/{endpointId}")
    @Access(ADMIN)
    @Operation(
            summary = "Change a webhook endpoint",
            description = "Pending deliveries of a disabled endpoint are cancelled when they " + "become due.")
    public WebhookEndpoint change(
            @BeanParam MemberRequest member,
            @PathParam("endpointId") WebhookEndpointId id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            EndpointChange requested) {
        EndpointValues values = checked(requested, RequestValidator.of(requested));
        OrganizationId organization = member.organization();
        WebhookEndpoint changed = database.transaction(() -> {
            WebhookEndpoint before = lock(organization, id, ifMatch);
            if (!values.changes(before)) {
                return before;
            }
            Instant now = clock.instant();
            Instant until = now.plus(WebhookSecrets.OVERLAP);
            byte[] secret = encrypted(organization, values);
            WebhookEndpoint after = store.update(organization, id, values, secret, until, member.createdBy(), now);
            subscribe(organization);
            return after;
        });
        IfMatch.addTag(member.http(), changed.revision());
        subscriptions.awaitVisible();
        return changed;
    }

    @DELETE
    @Path("/{endpointId}")
    @Access(ADMIN)
    @Operation(summary = "Delete a webhook endpoint", description = "Pending deliveries are cancelled.")
    @APIResponse(responseCode = "204", description = "Deleted")
    public void delete(
            @BeanParam MemberRequest member,
            @PathParam("endpointId") WebhookEndpointId id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        OrganizationId organization = member.organization();
        database.change(_ -> {
            var _ = lock(organization, id, ifMatch);
            store.delete(organization, id, clock.instant());
            subscribe(organization);
        });
    }

    private WebhookEndpoint lock(OrganizationId organization, WebhookEndpointId id, @Nullable String ifMatch) {
        IfMatch revisions = IfMatch.of(ifMatch);
        store.lockOrganization(organization);
        WebhookEndpoint endpoint =
                store.lock(organization, id).orElseThrow(() -> ApiProblem.notFound("webhook endpoint"));
        revisions.require(endpoint.revision(), endpoint.updatedBy(), endpoint.updatedAt());
        return endpoint;
    }

    private byte @Nullable [] encrypted(OrganizationId organization, EndpointValues values) {
        return values.secret() == null ? null : cipher.encrypt(organization, values.secret());
    }

    private void subscribe(OrganizationId organization) {
        subscriptions.subscribeOrganization(
                organization,
                store.subscribedTypes(organization).stream()
                        .flatMap(name -> EventType.of(name).stream())
                        .collect(Collectors.toSet()));
    }

    private EndpointValues checked(EndpointChange requested, RequestValidator validator) {
        String url = requested.url;
        if (url != null
                && RequestConstraints.check(EndpointChange.class, "url", url, "")
                        .isEmpty()) {
            try {
                egress.checkResolving(url)
                        .ifPresent(
                                detail -> validator.add(Violation.invalid(ViolationCode.UNREACHABLE, "/url", detail)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        Set<EventType> types = requested.eventTypes == null ? null : types(requested.eventTypes, validator);
        Optional<SigningSecret> secret = Optional.ofNullable(requested.secret).flatMap(SigningSecret::parse);
        validator.require(
                requested.secret == null || secret.isPresent(),
                ViolationCode.INVALID_FORMAT,
                "/secret",
                "'/secret' must be 'whsec_' and 24 to 64 bytes in Base64.");
        boolean organizationSecret = Boolean.TRUE.equals(requested.useOrganizationSecret);
        validator.require(
                secret.isEmpty() || !organizationSecret,
                ViolationCode.NOT_ALLOWED,
                "/use_organization_secret",
                "Either '/secret' or '/use_organization_secret' can be set.");
        validator.done();
        return new EndpointValues(
                url, requested.description, types, requested.enabled, secret.orElse(null), organizationSecret);
    }

    private static Set<EventType> types(List<@Nullable String> names, RequestValidator validator) {
        Set<EventType> types = EnumSet.noneOf(EventType.class);
        validator.require(
                !names.isEmpty(),
                ViolationCode.TOO_FEW,
                "/event_types",
                "'/event_types' must name at least one type.",
                Map.of("min", 1));
        for (int i = 0; i < names.size(); i++) {
            Optional<EventType> type =
                    Optional.ofNullable(names.get(i)).flatMap(EventType::of).filter(EventType::isSubscribable);
            type.ifPresent(types::add);
            String path = "/event_types/" + i;
            validator.require(
                    type.isPresent(),
                    ViolationCode.NOT_ONE_OF,
                    path,
                    "'" + path + "' must be a type such as message.created.");
        }
        return types;
    }
}
