package dev.parley.workflow.instance.api;

import static dev.parley.http.access.Access.Caller.OPEN;

import dev.parley.http.access.Access;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.ResumeUrls;
import dev.parley.workflow.instance.view.ResumeUrls.ResumeGrant;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Receives the events that tasks wait for. The signed URL is the authorization. */
@Path(ResumeUrls.PATH + "/{token}")
@RunOnVirtualThread
@Tag(name = "Workflow instances")
@Access(OPEN)
public final class ResumeResource {
    private static final String BY = "event";

    private final ResumeUrls urls;
    private final InstanceService instances;

    public ResumeResource(ResumeUrls urls, InstanceService instances) {
        this.urls = urls;
        this.instances = instances;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @SecurityRequirements
    @Operation(
            operationId = "resumeTask",
            summary = "Complete a task that waits for an event",
            description = "The members of the object are the task's outputs. Works once, while the task waits; the same"
                    + " event again gets the same answer.")
    @APIResponse(responseCode = "204", description = "The task is completed.")
    @APIResponse(responseCode = "404", description = "The URL is not valid.")
    @APIResponse(responseCode = "409", description = "The task does not wait for the event, or no longer.")
    public void resume(
            @PathParam("token") String token,
            @RequestBody(
                            content =
                                    @Content(
                                            examples =
                                                    @ExampleObject(name = "example", value = "{\"approved\": true}")))
                    Map<String, @Nullable Object> outputs) {
        ResumeGrant grant = urls.read(token).orElseThrow(() -> ApiProblem.notFound("event"));
        StoredInstance instance = instances.find(grant.organization(), grant.instance());
        Task task = instance.state().plan().task(grant.task());
        if (task == null) {
            throw ApiProblem.notFound("event");
        }
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> values =
                ValueRules.outputs(task.expectedOutput(), outputs, JsonPointer.ROOT, violations);
        refuseFiles(task, violations);
        if (!violations.isEmpty()) {
            throw ApiProblem.invalid(violations);
        }
        try {
            var _ = instances.request(
                    grant.organization(),
                    grant.instance(),
                    new InstanceEvent.EventReceived(grant.task(), grant.attempt(), outputs, BY),
                    null);
        } catch (ApiProblem problem) {
            if (!problem.kind().isConflict() || !isRepeat(grant, values)) {
                throw problem;
            }
        }
    }

    /** Whether the task was completed with the same values, so that the sender only missed the response. */
    private boolean isRepeat(ResumeGrant grant, Map<String, @Nullable Object> values) {
        InstanceState state =
                instances.find(grant.organization(), grant.instance()).state();
        TaskState done = state.tasks().withAttempt(state.plan().number(grant.task()), grant.attempt());
        return done != null && done.status() == TaskStatus.COMPLETED && StrictJson.isSame(done.outputs(), values);
    }

    /** The URI of a file would give whoever sends the event access to files of the organization. */
    private static void refuseFiles(Task task, List<Violation> violations) {
        for (OutputParameter output : task.expectedOutput()) {
            if (output.type().isFile()) {
                violations.add(new Violation(
                        Violation.INVALID_TYPE,
                        ViolationCode.NOT_ALLOWED,
                        JsonPointer.ROOT.to(output.name()).toString(),
                        "The output '" + output.name() + "' is a file, which an event cannot supply."));
            }
        }
    }
}
