package dev.parley.workflow.instance.api;

import dev.parley.http.access.Viewer;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** A request about one instance, whose id each API's path names differently. */
@SuppressWarnings("NullAway.Init") // The framework sets the fields.
public class InstanceRequest {
    @Context
    RoutingContext http;

    @Parameter(hidden = true)
    @PathParam("workflow_instance_id")
    @Nullable
    String developerId;

    @Parameter(hidden = true)
    @PathParam("instanceId")
    @Nullable
    String dashboardId;

    Viewer viewer() {
        return Viewer.of(http);
    }

    /** The instance, or a 404. */
    StoredInstance find(InstanceService instances) {
        return instances.find(viewer(), developerId == null ? dashboardId : developerId);
    }
}
