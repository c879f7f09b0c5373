package dev.parley.workflow.instance.api;

import dev.parley.http.Page;
import dev.parley.http.Viewer;
import dev.parley.organization.OrganizationAccess;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.view.ListedView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The workflow instances of an organization, for API keys and for dashboard users. */
public abstract class InstanceListResource {
    private final InstanceReader reader;
    private final OrganizationAccess access;

    InstanceListResource(InstanceReader reader, OrganizationAccess access) {
        this.reader = reader;
        this.access = access;
    }

    /** A page of instances. */
    @Schema(name = "WorkflowInstancePage")
    public record InstancePage(
            List<ListedView> items,

            @Schema(description = "Send as after for the next page; null on the last.") @Nullable
            String next) {}

    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstancePage.class)))
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface InstancePageResponse {}

    Page<ListedView> page(
            RoutingContext http,
            UriInfo uri,
            @Nullable String limit,
            @Nullable String after,
            @Nullable String status,
            @Nullable String workflowId,
            @Nullable String createdSince) {
        Viewer viewer = access.viewer(http, uri);
        return InstanceQuery.read(limit, after, status, workflowId, createdSince)
                .page(reader, viewer);
    }

    /** The list in the developer API. */
    @Path("/developer/api/workflow_instances")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Workflow instances")
    public static final class DeveloperInstanceListResource extends InstanceListResource {
        public DeveloperInstanceListResource(InstanceReader reader, OrganizationAccess access) {
            super(reader, access);
        }

        @GET
        @Operation(summary = "List workflow instances, newest first")
        @InstancePageResponse
        public Page<ListedView> list(
                @Context RoutingContext http,
                @Context UriInfo uri,
                @QueryParam("limit") @Nullable String limit,
                @QueryParam("after") @Nullable String after,
                @Parameter(schema = @Schema(implementation = InstanceStatus.class)) @QueryParam("status") @Nullable
                        String status,
                @QueryParam("workflow_id") @Nullable String workflowId,
                @Parameter(schema = @Schema(type = SchemaType.STRING, format = "date-time"))
                        @QueryParam("created_since")
                        @Nullable
                        String createdSince) {
            return page(http, uri, limit, after, status, workflowId, createdSince);
        }
    }

    /** The list in the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/instances")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Dashboard: instances")
    public static final class DashboardInstanceListResource extends InstanceListResource {
        public DashboardInstanceListResource(InstanceReader reader, OrganizationAccess access) {
            super(reader, access);
        }

        @GET
        @Operation(summary = "List workflow instances, newest first")
        @InstancePageResponse
        public Page<ListedView> list(
                @Context RoutingContext http,
                @Context UriInfo uri,
                @QueryParam("limit") @Nullable String limit,
                @QueryParam("after") @Nullable String after,
                @QueryParam("status") @Nullable String status,
                @QueryParam("workflow_id") @Nullable String workflowId,
                @Parameter(schema = @Schema(type = SchemaType.STRING, format = "date-time"))
                        @QueryParam("created_since")
                        @Nullable
                        String createdSince) {
            return page(http, uri, limit, after, status, workflowId, createdSince);
        }
    }
}
