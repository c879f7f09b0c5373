package dev.parley.workflow.instance.api;

import jakarta.ws.rs.QueryParam;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters that select instances, shared by the list and the count. */
public final class InstanceFilterParameters {
    static final int MAX_SEARCH = 200;

    @Parameter(description = "One or more statuses, separated by commas", example = "RUNNING,PAUSED")
    @QueryParam("status")
    @Nullable
    String status;

    @QueryParam("workflow_id")
    @Nullable
    String workflowId;

    @Parameter(description = "Only the sub-workflows that tasks of this instance started")
    @QueryParam("parent_instance_id")
    @Nullable
    String parentInstanceId;

    @Parameter(
            description = "true: only test runs of drafts and their sub-workflows; false: only other instances",
            schema = @Schema(type = SchemaType.BOOLEAN))
    @QueryParam("test_run")
    @Nullable
    String testRun;

    @Parameter(schema = @Schema(type = SchemaType.STRING, format = "date-time"))
    @QueryParam("created_since")
    @Nullable
    String createdSince;

    @Parameter(description = "Exclusive", schema = @Schema(type = SchemaType.STRING, format = "date-time"))
    @QueryParam("created_until")
    @Nullable
    String createdUntil;

    @Parameter(
            schema = @Schema(type = SchemaType.STRING, maxLength = MAX_SEARCH),
            description = "The id of an instance, its first 8 or more digits, or a part of the input preview in any"
                    + " case. Previews are searched in the newest 20,000 instances that match the other filters.")
    @QueryParam("search")
    @Nullable
    String search;
}
