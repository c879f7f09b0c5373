package dev.parley.workflow.definition.reference;

import static dev.parley.http.access.Access.Caller.MEMBER;
import static java.util.stream.Collectors.groupingBy;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.tool.ToolService;
import dev.parley.workflow.definition.reference.WorkflowReferenceStore.ReferencingWorkflow;
import dev.parley.workflow.definition.reference.WorkflowReferenceStore.TargetUsage;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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
@Access(MEMBER)
public final class WorkflowReferenceResource {
    private static final String PROVIDER = "tool_provider";
    private static final int MAX_IDS = 100;

    private final WorkflowReferenceStore store;
    private final ToolService tools;

    public WorkflowReferenceResource(Database database, ToolService tools) {
        this.store = database.statements(WorkflowReferenceStore.class);
        this.tools = tools;
    }

    /** The workflows that use one entity. */
    @Schema(name = "WorkflowUsage")
    public record WorkflowUsage(
            @Schema(description = "The requested id", examples = "1000")
            String id,

            @Schema(description = "The number of workflows that use it")
            int total,

            @Schema(description = "Newest first, up to the limit")
            List<ReferencingWorkflow> workflows) {
        private static WorkflowUsage of(String id, List<TargetUsage> usages) {
            int total = usages.isEmpty() ? 0 : usages.getFirst().total();
            return new WorkflowUsage(
                    id, total, usages.stream().map(TargetUsage::workflow).toList());
        }
    }

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
            @BeanParam MemberRequest member,
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
        boolean ofProviders = PROVIDER.equals(kind);
        ReferenceKind references = ofProviders ? ReferenceKind.TOOL : kind(kind);
        List<String> requested = ids(ids);
        int max = Page.limit(limit);
        OrganizationId organization = member.organization();
        Map<String, String> byProvider = ofProviders ? tools.idsByProvider(organization, requested) : Map.of();
        Map<String, List<TargetUsage>> usages = (ofProviders
                        ? store.usages(organization, references, byProvider.values(), byProvider.keySet(), max)
                        : store.usages(organization, references, requested, stored(requested), max))
                .stream().collect(groupingBy(TargetUsage::target));
        return new WorkflowUsages(requested.stream()
                .map(id -> WorkflowUsage.of(id, usages.getOrDefault(id, List.of())))
                .toList());
    }

    private static ReferenceKind kind(@Nullable String text) {
        return Optional.ofNullable(text)
                .flatMap(ReferenceKind::of)
                .orElseThrow(() -> ApiProblem.invalid(Violation.parameter(
                        ViolationCode.NOT_ONE_OF,
                        "kind",
                        "'kind' must be tool, " + PROVIDER + ", code_artifact, data_lake or team.")));
    }

    private static List<String> ids(@Nullable String text) {
        List<String> ids = text == null
                ? List.of()
                : Stream.of(text.split(",", -1)).map(String::strip).distinct().toList();
        var validator = new RequestValidator();
        validator.requireParameter(
                !ids.isEmpty()
                        && ids.size() <= MAX_IDS
                        && ids.stream().allMatch(id -> id.matches("[0-9A-Za-z-]{1,40}")),
                ViolationCode.INVALID_FORMAT,
                "ids",
                "'ids' must be one to " + MAX_IDS + " ids, separated by commas.");
        validator.done();
        return ids;
    }

    /** The ids as they are stored; those of data lakes may be requested with hyphens. */
    private static List<String> stored(List<String> requested) {
        return requested.stream()
                .map(id -> DataLakeId.parse(id).map(DataLakeId::text).orElse(id))
                .toList();
    }
}
