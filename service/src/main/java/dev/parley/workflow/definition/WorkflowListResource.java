package dev.parley.workflow.definition;

import static dev.parley.http.access.Access.Caller.MEMBER;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The list of workflows in the dashboard, with how their runs went. */
@Path("/dashboard/api/organizations/{orgId}/workflows")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
@Access(MEMBER)
public final class WorkflowListResource {
    private static final int MAX_SEARCH = 100;
    private static final Duration RATED = Duration.ofDays(7);

    private final WorkflowStore statements;
    private final LatestRunStore runs;
    private final Clock clock;

    WorkflowListResource(Database database, Clock clock) {
        this.statements = database.statements(WorkflowStore.class);
        this.runs = database.statements(LatestRunStore.class);
        this.clock = clock;
    }

    /** A workflow in a list. */
    @Schema(name = "ListedWorkflow")
    public record ListedWorkflow(
            @JsonUnwrapped Workflow workflow,

            @Schema(
                    description = "The newest runs, at most five, newest first; null unless requested with "
                            + "include=latest_runs")
            @Nullable
            List<LatestRunStore.Run> latestRuns,

            @Schema(
                    description = "How the runs of the last 7 days ended, of the newest 100; null unless requested with"
                            + " include=latest_runs",
                    nullable = true)
            LatestRunStore.@Nullable SuccessRate successRate) {}

    @GET
    @Operation(
            summary = "List workflows that are not archived",
            description = "A search, a state and an order other than by creation consider the newest 10,000 workflows.")
    public Page<ListedWorkflow> list(
            @BeanParam MemberRequest member,
            @BeanParam PageRequest page,
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
        var validator = new RequestValidator();
        validator.requireParameter(
                include == null || include.equals("latest_runs"),
                ViolationCode.NOT_ONE_OF,
                "include",
                "'include' must be latest_runs.",
                Map.of("allowed", List.of("latest_runs")));
        WorkflowSort order =
                validator.parameterEnum(sort, "sort", WorkflowSort.class).orElse(WorkflowSort.CREATED);
        Optional<WorkflowState> listed = validator.parameterEnum(state, "state", WorkflowState.class);
        String words = validator.parameterSearch(search, MAX_SEARCH);
        validator.done();
        var filter = new WorkflowStore.WorkflowSearch(words, listed, order);
        Page<Workflow> found = page.page(
                statements.list(member.organization(), filter, page.after(WorkflowId::parse), page.rows()),
                workflow -> workflow.id().text());
        return new Page<>(
                include == null
                        ? found.items().stream()
                                .map(workflow -> new ListedWorkflow(workflow, null, null))
                                .toList()
                        : withRuns(member.organization(), found.items()),
                found.next());
    }

    private List<ListedWorkflow> withRuns(OrganizationId organization, List<Workflow> workflows) {
        List<WorkflowId> ids = workflows.stream().map(Workflow::id).toList();
        Map<WorkflowId, List<LatestRunStore.Run>> latest = runs.latest(organization, ids);
        Map<WorkflowId, LatestRunStore.SuccessRate> rates =
                runs.successRates(organization, ids, clock.instant().minus(RATED));
        return workflows.stream()
                .map(workflow -> new ListedWorkflow(
                        workflow,
                        latest.getOrDefault(workflow.id(), List.of()),
                        rates.getOrDefault(workflow.id(), LatestRunStore.SuccessRate.NONE)))
                .toList();
    }
}
