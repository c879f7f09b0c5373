package dev.parley.workflow.definition;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.tool.ToolStore;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lists the workflows that use tools, tool providers, code artifacts, data lakes and teams. */
@Path("/dashboard/api/organizations/{orgId}/workflow-references")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
public final class WorkflowReferenceResource {
    private static final String PROVIDER = "tool_provider";
    private static final int MAX_IDS = 100;

    private final Database database;
    private final ToolStore tools;
    private final OrganizationAccess access;

    public WorkflowReferenceResource(Database database, ToolStore tools, OrganizationAccess access) {
        this.database = database;
        this.tools = tools;
        this.access = access;
    }

    /** The workflows that use one entity. */
    @Schema(name = "WorkflowUsage")
    public record WorkflowUsage(
            @Schema(description = "The requested id", examples = "1000")
            String id,

            @Schema(description = "The number of workflows that use it")
            int total,

            @Schema(description = "Newest first, up to the limit")
            List<WorkflowReferences.ReferencingWorkflow> workflows) {}

    /** The usages of the requested entities. */
    @Schema(name = "WorkflowUsages")
    public record WorkflowUsages(
            @Schema(description = "One per requested id, in the same order")
            List<WorkflowUsage> items) {}

    @GET
    @Operation(
            summary = "List the workflows that use tools, code artifacts or data lakes, or assign to teams",
            description = "Counts drafts and the newest published version; archived workflows do not count. An id that "
                    + "the organization does not have is used by no workflow.")
    public WorkflowUsages list(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @Parameter(schema = @Schema(enumeration = {"tool", PROVIDER, "code_artifact", "data_lake", "team"}))
                    @QueryParam("kind")
                    @Nullable
                    String kind,
            @Parameter(description = "One to 100 ids, separated by commas", example = "1,1000")
                    @QueryParam("ids")
                    @Nullable
                    String ids,
            @Parameter(description = "The number of workflows listed for each id") @QueryParam("limit") @Nullable
                    String limit) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        boolean ofProviders = PROVIDER.equals(kind);
        ReferenceKind references = ofProviders ? ReferenceKind.TOOL : kind(kind);
        List<String> requested = ids(ids);
        int max = Page.limit(limit);
        Map<String, WorkflowReferences.Usage> usages = database.with(handle -> {
            List<String> targets = new ArrayList<>();
            List<String> referenced = new ArrayList<>();
            if (ofProviders) {
                tools.idsByProvider(handle, organization, requested).forEach((tool, provider) -> {
                    targets.add(provider);
                    referenced.add(tool);
                });
            } else {
                for (String id : requested) {
                    targets.add(id);
                    referenced.add(references == ReferenceKind.DATA_LAKE ? plain(id) : id);
                }
            }
            return WorkflowReferences.usages(handle, organization, references, targets, referenced, max);
        });
        return new WorkflowUsages(requested.stream()
                .map(id -> {
                    WorkflowReferences.Usage usage = usages.getOrDefault(id, WorkflowReferences.Usage.NONE);
                    return new WorkflowUsage(id, usage.total(), usage.workflows());
                })
                .toList());
    }

    private static ReferenceKind kind(@Nullable String text) {
        return Optional.ofNullable(text)
                .flatMap(ReferenceKind::of)
                .orElseThrow(() -> ApiProblem.invalid(Violation.parameter(
                        "kind", "'kind' must be tool, " + PROVIDER + ", code_artifact, data_lake or team.")));
    }

    private static List<String> ids(@Nullable String text) {
        List<String> ids = text == null
                ? List.of()
                : List.of(text.split(",", -1)).stream()
                        .map(String::strip)
                        .distinct()
                        .toList();
        var validator = new RequestValidator();
        validator.requireParameter(
                !ids.isEmpty()
                        && ids.size() <= MAX_IDS
                        && ids.stream().allMatch(id -> id.matches("[0-9A-Za-z-]{1,40}")),
                "ids",
                "'ids' must be one to " + MAX_IDS + " ids, separated by commas.");
        validator.done();
        return ids;
    }

    /** The id as it is stored; data lakes may be written with hyphens. */
    private static String plain(String id) {
        return DataLakeId.parse(id).map(DataLakeId::text).orElse(id);
    }
}
