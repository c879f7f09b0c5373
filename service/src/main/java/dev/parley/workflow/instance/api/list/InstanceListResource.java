package dev.parley.workflow.instance.api.list;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The workflow instances of an organization, for API keys and for dashboard users. */
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public abstract class InstanceListResource {
    private final InstanceReader reader;
    private final AttemptStatements attempts;

    InstanceListResource(InstanceReader reader, Database database) {
        this.reader = reader;
        this.attempts = database.statements(AttemptStatements.class);
    }

    @GET
    @Operation(summary = "List workflow instances, newest first")
    public Page<ListedView> list(
            @Context RoutingContext http, @BeanParam PageRequest request, @BeanParam InstanceFilterParameters filter) {
        Viewer viewer = Viewer.of(http);
        OrganizationId organization = viewer.organization();
        InstanceReader.InstanceFilter visible = filter.visibleTo(viewer);
        WorkflowInstanceId after = request.after(WorkflowInstanceId::parse).orElse(null);
        Page<InstanceReader.ListedInstance> page = request.page(
                reader.list(organization, visible, after, request.rows()),
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
    @Access(KEY)
    public static final class DeveloperInstanceListResource extends InstanceListResource {
        public DeveloperInstanceListResource(InstanceReader reader, Database database) {
            super(reader, database);
        }
    }

    /** The list in the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/instances")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Workflow instances")
    @Access(MEMBER)
    public static final class DashboardInstanceListResource extends InstanceListResource {
        public DashboardInstanceListResource(InstanceReader reader, Database database) {
            super(reader, database);
        }
    }
}
