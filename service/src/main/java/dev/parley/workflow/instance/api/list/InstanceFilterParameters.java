package dev.parley.workflow.instance.api.list;

import dev.parley.http.RequestValidator;
import dev.parley.http.access.Viewer;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceReader;
import jakarta.ws.rs.QueryParam;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.Explode;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters that select instances, shared by the list and the count. */
public final class InstanceFilterParameters {
    private static final int MAX_SEARCH = 200;

    @Parameter(
            description = "One or more statuses, separated by commas",
            explode = Explode.FALSE,
            schema = @Schema(type = SchemaType.ARRAY, implementation = InstanceStatus.class))
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

    /** The filter, restricted to what the viewer sees. */
    InstanceReader.InstanceFilter visibleTo(Viewer viewer) {
        var validator = new RequestValidator();
        Set<InstanceStatus> statuses = validator.parameterEnums(status, "status", InstanceStatus.class);
        Optional<WorkflowId> workflow = validator.parameterId(workflowId, "workflow_id", WorkflowId::parse);
        Optional<WorkflowInstanceId> parent =
                validator.parameterId(parentInstanceId, "parent_instance_id", WorkflowInstanceId::parse);
        Boolean isTestRun = testRun == null ? null : validator.parameterFlag(testRun, "test_run");
        Optional<Instant> since = validator.parameterTime(createdSince, "created_since");
        Optional<Instant> until = validator.parameterTime(createdUntil, "created_until");
        String text = validator.parameterSearch(search, MAX_SEARCH);
        validator.done();
        workflow.ifPresent(viewer::requireWorkflow);
        return new InstanceReader.InstanceFilter(
                statuses,
                workflow.orElse(viewer.workflowId()),
                parent.orElse(null),
                viewer.teamId(),
                isTestRun,
                since.orElse(null),
                until.orElse(null),
                text.isEmpty() ? null : text);
    }
}
