package dev.parley.workflow.instance.api;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.Viewer;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.workflow.attempt.AttemptStatements;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.view.ListedView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The workflow instances of an organization, for API keys and for dashboard users. */
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public abstract class InstanceListResource {
    private final InstanceReader reader;
    private final AttemptStatements attempts;
    private final OrganizationAccess access;

    InstanceListResource(InstanceReader reader, Database database, OrganizationAccess access) {
        this.reader = reader;
        this.attempts = database.statements(AttemptStatements.class);
        this.access = access;
    }

    /** A page of instances. */
    @Schema(name = "WorkflowInstancePage")
    public record InstancePage(
            List<ListedView> items,

            @Schema(description = "Send as after for the next page; null on the last.") @Nullable
            String next) {}

    @GET
    @Operation(summary = "List workflow instances, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstancePage.class)))
    public Page<ListedView> list(
            @Context RoutingContext http,
            @Context UriInfo uri,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @BeanParam InstanceFilterParameters filter) {
        int size = Page.limit(limit);
        InstanceQuery query = InstanceQuery.read(filter);
        Optional<WorkflowInstanceId> cursor = Page.after(after, WorkflowInstanceId::parse);
        Viewer viewer = access.viewer(http, uri);
        OrganizationId organization = viewer.organization();
        Page<InstanceReader.ListedInstance> page = Page.of(
                reader.list(organization, query.visibleTo(viewer), cursor.orElse(null), size + 1),
                size,
                row -> row.header().id().text());
        Map<WorkflowInstanceId, ModelUsage> usage = attempts.usage(
                organization,
                page.items().stream().map(row -> row.header().id()).toList());
        return new Page<>(
                page.items().stream()
                        .map(row -> ListedView.of(
                                row, usage.getOrDefault(row.header().id(), ModelUsage.NONE)))
                        .toList(),
                page.next());
    }

    /** The list in the developer API. */
    @Path("/developer/api/workflow_instances")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Workflow instances")
    public static final class DeveloperInstanceListResource extends InstanceListResource {
        public DeveloperInstanceListResource(InstanceReader reader, Database database, OrganizationAccess access) {
            super(reader, database, access);
        }
    }

    /** The list in the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/instances")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Dashboard: instances")
    public static final class DashboardInstanceListResource extends InstanceListResource {
        public DashboardInstanceListResource(InstanceReader reader, Database database, OrganizationAccess access) {
            super(reader, database, access);
        }
    }
}
