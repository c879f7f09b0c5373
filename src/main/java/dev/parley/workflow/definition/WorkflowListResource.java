package dev.parley.workflow.definition;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The list of workflows in the dashboard, with how their runs went. */
@Path("/dashboard/api/organizations/{orgId}/workflows")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
public final class WorkflowListResource {
    private static final int MAX_SEARCH = 100;
    private static final Duration RATED = Duration.ofDays(7);

    private final WorkflowStore store;
    private final LatestRuns runs;
    private final OrganizationAccess access;
    private final Clock clock;

    public WorkflowListResource(WorkflowStore store, LatestRuns runs, OrganizationAccess access, Clock clock) {
        this.store = store;
        this.runs = runs;
        this.access = access;
        this.clock = clock;
    }

    /** A workflow in a list. */
    @Schema(name = "ListedWorkflow")
    public record ListedWorkflow(
            @JsonUnwrapped Workflow workflow,

            @Schema(
                    description = "The newest runs, at most five, newest first; null unless requested with "
                            + "include=latest_runs",
                    nullable = true)
            @Nullable
            List<LatestRuns.Run> latestRuns,

            @Schema(
                    description = "How the runs of the last 7 days ended, of the newest 100; null unless requested with"
                            + " include=latest_runs",
                    nullable = true)
            LatestRuns.@Nullable SuccessRate successRate) {}

    /** A page of workflows. */
    @Schema(name = "WorkflowPage")
    public record WorkflowPage(
            List<ListedWorkflow> items,

            @Schema(description = "Pass as 'after' to get the next page; null on the last page.") @Nullable
            String next) {}

    @GET
    @Operation(
            summary = "List workflows that are not archived",
            description = "A search, a state and an order other than by creation consider the newest 10,000 workflows.")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = WorkflowPage.class)))
    public Page<ListedWorkflow> list(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The `next` of the previous page.") @QueryParam("after") @Nullable String after,
            @Parameter(
                            schema = @Schema(type = SchemaType.STRING, maxLength = MAX_SEARCH),
                            description = "Words of the name or the description in any case; each must occur.")
                    @QueryParam("search")
                    @Nullable
                    String search,
            @Parameter(
                            schema = @Schema(enumeration = {"draft", "published", "changed", "invalid"}),
                            description = "`draft`: never published; `published`: has a version; `changed`: the draft"
                                    + " differs from the newest version; `invalid`: the draft has violations")
                    @QueryParam("state")
                    @Nullable
                    String state,
            @Parameter(
                            schema =
                                    @Schema(
                                            enumeration = {"created", "name", "updated"},
                                            defaultValue = "created"),
                            description = "`created`: newest first; `name`: by name; `updated`: latest change first")
                    @QueryParam("sort")
                    @Nullable
                    String sort,
            @Parameter(
                            schema = @Schema(enumeration = "latest_runs"),
                            description = "latest_runs adds the newest runs and the success rate of each workflow.")
                    @QueryParam("include")
                    @Nullable
                    String include) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        var validator = new RequestValidator();
        validator.requireParameter(
                include == null || include.equals("latest_runs"), "include", "'include' must be latest_runs.");
        Optional<WorkflowSort> order = sort == null ? Optional.of(WorkflowSort.CREATED) : WorkflowSort.parse(sort);
        validator.requireParameter(order.isPresent(), "sort", "'sort' must be created, name or updated.");
        Optional<WorkflowState> wantedState = Optional.ofNullable(state).flatMap(WorkflowState::parse);
        validator.requireParameter(
                state == null || wantedState.isPresent(),
                "state",
                "'state' must be draft, published, changed or invalid.");
        String words = validator.parameterSearch(search, MAX_SEARCH);
        validator.done();
        var wanted = new WorkflowStore.WorkflowSearch(words, wantedState.orElse(null), order.orElseThrow());
        Page<Workflow> page = Page.of(
                store.list(organization, wanted, Page.after(after, WorkflowId::parse), max + 1), max, one -> one.id()
                        .text());
        return new Page<>(include == null ? alone(page.items()) : withRuns(organization, page.items()), page.next());
    }

    private static List<ListedWorkflow> alone(List<Workflow> workflows) {
        return workflows.stream()
                .map(one -> new ListedWorkflow(one, null, null))
                .toList();
    }

    private List<ListedWorkflow> withRuns(OrganizationId organization, List<Workflow> workflows) {
        List<WorkflowId> ids = workflows.stream().map(Workflow::id).toList();
        Map<WorkflowId, List<LatestRuns.Run>> latest = runs.of(organization, ids);
        Map<WorkflowId, LatestRuns.SuccessRate> rates =
                runs.successRates(organization, ids, clock.instant().minus(RATED));
        return workflows.stream()
                .map(one -> new ListedWorkflow(
                        one,
                        latest.getOrDefault(one.id(), List.of()),
                        rates.getOrDefault(one.id(), LatestRuns.SuccessRate.NONE)))
                .toList();
    }
}
