package dev.parley.workflow.instance.api;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.filter.BodyFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.media.FileScope;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.WorkflowService;
import dev.parley.workflow.definition.WorkflowStore;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.check.SingleTaskDraft;
import dev.parley.workflow.definition.core.check.ValidationResult;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.reference.DefinitionReferences;
import dev.parley.workflow.instance.api.RunRequest.RunResponses;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.view.InstanceViews;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Runs drafts, or single tasks of them, for testing: the instance keeps the document that it runs, as version 0. */
@Path("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/test-run")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflow instances")
@Access(MEMBER)
public final class TestRunResource {
    private final InstanceService instances;
    private final SyncTrigger trigger;
    private final WorkflowStore workflows;
    private final DefinitionReferences references;

    TestRunResource(
            InstanceService instances, SyncTrigger trigger, Database database, DefinitionReferences references) {
        this.instances = instances;
        this.trigger = trigger;
        this.workflows = database.statements(WorkflowStore.class);
        this.references = references;
    }

    /** The body of a test run: a trigger, or the task to run alone with its inputs. */
    @FurtherChecks
    @Schema(name = "TestRunRequest")
    public record TestRunRequest(
            @Schema(
                    maxLength = InstanceService.MAX_MESSAGE,
                    description = "The message that triggers the workflow, if any.")
            @Nullable
            String humanMsg,

            @Schema(
                    type = SchemaType.ARRAY,
                    implementation = RunRequest.FileUrl.class,
                    maxItems = InstanceService.MAX_FILES,
                    description = "URLs of files, as for a trigger.")
            @Nullable
            List<@Nullable String> fileUrls,

            @Schema(
                    type = SchemaType.OBJECT,
                    description = "Values for human_input parameters by name; with task_id, for any input of the task.")
            @Nullable
            Map<String, @Nullable Object> inputs,

            @Schema(
                    description = "Runs this task of the draft alone. Inputs that are connected or that people supply"
                            + " take their values from inputs; required ones must be given.")
            @Nullable
            String taskId) {
        static final TestRunRequest EMPTY = new TestRunRequest(null, null, null, null);
    }

    /** What to run, validated. */
    private record TestedDraft(WorkflowDefinition definition, Map<String, @Nullable Object> document) {}

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "startTestRun",
            summary = "Run the draft, or one of its tasks, and wait for it",
            description = "Runs the draft like a synchronous trigger. The instance keeps the document that it runs.")
    @RunResponses
    @APIResponse(responseCode = "409", description = "The workflow is archived")
    public Response testRun(
            @BeanParam MemberRequest member,
            @PathParam("workflowId") WorkflowId workflow,
            @BeanParam RunRequest run,
            @Nullable TestRunRequest body)
            throws InterruptedException {
        OrganizationId organization = member.organization();
        var request = body == null ? TestRunRequest.EMPTY : body;
        var validator = RequestValidator.of(body);
        int wait = run.waitSeconds(validator);
        instances.check(FileScope.all(organization), request.humanMsg, request.fileUrls, validator);
        validator.done();
        WorkflowStore.WorkflowDraft draft =
                workflows.find(organization, workflow).orElseThrow(() -> ApiProblem.notFound("workflow"));
        if (draft.workflow().archivedAt() != null) {
            throw WorkflowService.archived();
        }
        Map<String, @Nullable Object> inputs = SyncTrigger.present(request.inputs);
        TestedDraft tested = request.taskId == null
                ? whole(organization, draft.document())
                : single(organization, draft.document(), request.taskId, inputs);
        var started = InstanceService.join(instances.startDraft(
                new InstanceService.Trigger(
                        organization,
                        workflow,
                        null,
                        null,
                        member.createdBy(),
                        request.humanMsg,
                        SyncTrigger.present(request.fileUrls),
                        inputs),
                ExecutionPlan.of(tested.definition),
                StrictJson.write(tested.document)));
        BodyFilter.bodyUsed(member.http());
        return trigger.answer(started, wait, InstanceViews.dashboardAddress(started.instance()))
                .response();
    }

    private TestedDraft whole(OrganizationId organization, Map<String, @Nullable Object> draft) {
        ValidationResult validation = references.validate(organization, draft);
        WorkflowDefinition definition = validation.definition();
        if (definition == null) {
            throw ApiProblem.invalid(validation.errors());
        }
        return new TestedDraft(definition, draft);
    }

    private TestedDraft single(
            OrganizationId organization,
            Map<String, @Nullable Object> draft,
            String task,
            Map<String, @Nullable Object> inputs) {
        SingleTaskDraft alone = SingleTaskDraft.of(draft, task, inputs.keySet())
                .orElseThrow(() -> ApiProblem.invalid(Violation.invalid(
                        ViolationCode.NOT_FOUND,
                        "/task_id",
                        "The draft has no task with the id given in '/task_id'.")));
        ValidationResult validation = references.validate(organization, alone.document());
        WorkflowDefinition definition = validation.definition();
        if (definition == null) {
            throw ApiProblem.invalid(alone.inDraft(validation.errors()));
        }
        var validator = new RequestValidator();
        for (InputParameter input : definition.tasks().getFirst().inputParameters()) {
            if (input.required() && input.source() == InputSource.HUMAN_INPUT && inputs.get(input.name()) == null) {
                validator.add(Violation.missing(Violation.member("/inputs", input.name())));
            }
        }
        validator.done();
        return new TestedDraft(definition, alone.document());
    }
}
