package dev.parley.console;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.access.Access;
import dev.parley.id.OrganizationId;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.Organizations;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.ratelimit.RateLimits;
import dev.parley.settings.Settings;
import dev.parley.usage.UsageReport;
import dev.parley.usage.UsageSummary;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.InstanceReader.FailedRuns;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** An organization's activity and limits. */
@Path("/dashboard/api/organizations/{orgId}/overview")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Overview")
@Access(MEMBER)
public final class OverviewResource {
    private static final int DAY = 24;
    private static final int MAX_HOURS = 90 * DAY;

    private final UsageReport usage;
    private final Organizations organizations;
    private final RateLimits rates;
    private final Engine engine;
    private final Settings.Quotas quotas;
    private final FirstStepsStore steps;
    private final InstanceReader instances;
    private final Clock clock;
    private final boolean modelConnected;

    OverviewResource(
            Database database,
            UsageReport usage,
            Organizations organizations,
            RateLimits rates,
            Engine engine,
            Settings.Quotas quotas,
            InstanceReader instances,
            Clock clock,
            Settings.Models models) {
        this.usage = usage;
        this.organizations = organizations;
        this.rates = rates;
        this.engine = engine;
        this.quotas = quotas;
        this.steps = database.statements(FirstStepsStore.class);
        this.instances = instances;
        this.clock = clock;
        this.modelConnected = models.external().isPresent();
    }

    /** The organization's activity and limits. */
    @Schema(name = "Overview")
    public record Overview(
            UsageSummary usage,
            OverviewLimits limits,
            FirstSteps firstSteps,

            @Schema(
                    description = "Failed instances that were started in these hours, without test runs, by workflow,"
                            + " most first; the newest 1,000 are counted")
            List<FailedRuns> failedRuns,

            @Schema(description = "Whether a chat model is configured; otherwise the offline model replies")
            boolean modelConnected) {}

    /** The organization's limits and their current use. */
    @Schema(name = "OrganizationLimits")
    public record OverviewLimits(
            int messagesPerMinute,

            @Schema(description = "Messages of the last minute as counted by this node")
            int messagesInLastMinute,

            @Schema(description = "Maximum number of running workflow instances")
            int runningInstances,

            @Schema(description = "Currently running instances on all nodes")
            int runningNow) {}

    @GET
    @Operation(
            summary = "Read the overview",
            description = "Messages, ended runs, durations, tokens and cost of the last hours, by the hour for up "
                    + "to 48 hours, else by the day, with a delay of some seconds. Also the limits and "
                    + "their current use, failed runs, and what the organization has done so far. Test runs of drafts "
                    + "count only as running instances.")
    public Overview overview(
            @BeanParam MemberRequest member,
            @Parameter(
                            description = "1 to 2160; default 24",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "2160"))
                    @QueryParam("hours")
                    @Nullable
                    String hours,
            @Parameter(description = "Where days start, such as Europe/Vienna; default UTC")
                    @QueryParam("time_zone")
                    @Nullable
                    String timeZone) {
        OrganizationId id = member.organization();
        int max = Page.number(hours, "hours", DAY, MAX_HOURS);
        ZoneId zone = zone(timeZone);
        int limit = organizations.messagesPerMinute(id);
        RateLimits.Quota quota = rates.quota(id, limit);
        return new Overview(
                usage.of(id, max, zone),
                new OverviewLimits(limit, limit - quota.remaining(), quotas.runningInstances(), engine.running(id)),
                steps.of(id),
                instances.failures(id, clock.instant().minus(Duration.ofHours(max))),
                modelConnected);
    }

    private static ZoneId zone(@Nullable String name) {
        try {
            return name == null ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException _) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.NOT_ONE_OF,
                    "time_zone",
                    "'time_zone' must be the name of a time zone such as Europe/Vienna."));
        }
    }
}
