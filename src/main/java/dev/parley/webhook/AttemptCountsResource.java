package dev.parley.webhook;

import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The chart of an endpoint's attempts. */
@Path("/dashboard/api/organizations/{orgId}/webhook-endpoints/{endpointId}/attempts")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: webhooks")
public final class AttemptCountsResource {
    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final OrganizationAccess access;
    private final Clock clock;

    AttemptCountsResource(EndpointStore endpoints, DeliveryStore deliveries, OrganizationAccess access, Clock clock) {
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.access = access;
        this.clock = clock;
    }

    /** A chart: intervals of one length; those without attempts are omitted. */
    @Schema(name = "WebhookAttemptChart")
    public record AttemptChart(
            @Schema(description = "Start of the first interval")
            Instant since,

            @Schema(description = "Length of an interval in seconds", examples = "3600")
            long interval,

            @Schema(description = "Oldest first; intervals without attempts are missing")
            List<AttemptCounts> items) {
        public AttemptChart {
            items = List.copyOf(items);
        }
    }

    @GET
    @Operation(
            summary = "Count the attempts of a webhook endpoint",
            description = "Successes, failures and response times per hour of the last 24 hours, or per day of the last"
                    + " 7 days, of the newest " + AttemptCounts.DELIVERIES + " deliveries.")
    public AttemptChart count(
            @PathParam("orgId") String orgId,
            @PathParam("endpointId") String endpointId,
            @Parameter(
                            schema =
                                    @Schema(
                                            enumeration = {"day", "week"},
                                            defaultValue = "day"))
                    @QueryParam("period")
                    @Nullable
                    String period,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        WebhookEndpointId endpoint = RequestValidator.pathId(endpointId, "webhook endpoint", WebhookEndpointId::parse);
        var validator = new RequestValidator();
        boolean isWeek = "week".equals(period);
        validator.requireParameter(
                period == null || isWeek || period.equals("day"), "period", "'period' must be day or week.");
        validator.done();
        if (endpoints.find(organization, endpoint).isEmpty()) {
            throw ApiProblem.notFound("webhook endpoint");
        }
        Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        Instant since = hour.minus(isWeek ? Duration.ofDays(7) : Duration.ofDays(1));
        Duration interval = isWeek ? Duration.ofDays(1) : Duration.ofHours(1);
        return new AttemptChart(
                since, interval.toSeconds(), deliveries.attemptCounts(organization, endpoint, since, interval));
    }
}
