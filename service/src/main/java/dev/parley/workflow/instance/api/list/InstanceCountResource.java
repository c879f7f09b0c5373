package dev.parley.workflow.instance.api.list;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.workflow.instance.store.InstanceReader;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Counts the workflow instances of an organization for dashboard users. */
@Path("/dashboard/api/organizations/{orgId}/instances/count")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflow instances")
@Access(MEMBER)
public final class InstanceCountResource {
    private static final int MAX_COUNTED = 10_000;

    private final InstanceReader reader;

    public InstanceCountResource(InstanceReader reader) {
        this.reader = reader;
    }

    /**
     * The number of instances.
     *
     * @param orMore whether there may be more, because counting stopped at the limit
     */
    @Schema(name = "WorkflowInstanceCount")
    public record InstanceCount(@Schema(examples = "7") int count, boolean orMore) {}

    @GET
    @Operation(summary = "Count workflow instances", description = "The count stops at 10,000.")
    public InstanceCount count(@Context RoutingContext http, @BeanParam InstanceFilterParameters filter) {
        Viewer viewer = Viewer.of(http);
        int count = reader.count(viewer.organization(), filter.visibleTo(viewer), MAX_COUNTED);
        return new InstanceCount(count, count == MAX_COUNTED);
    }
}
