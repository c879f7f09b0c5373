package dev.parley.workflow.instance.api;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.WorkflowStore;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.InputResolver;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.AttemptView;
import dev.parley.workflow.instance.view.InstanceAttempts;
import dev.parley.workflow.instance.view.InstanceView;
import dev.parley.workflow.instance.view.InstanceViews;
import dev.parley.workflow.instance.view.LogView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** One workflow instance, for API keys and for dashboard users. Each nested class mounts the routes of one API. */
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public abstract class InstanceResource {
    private static final int LOG_PAGE = 1_000;

    private final InstanceService instances;
    private final InstanceViews views;
    private final InstanceAttempts attempts;
    private final InstanceActions actions;

    InstanceResource(
            InstanceService instances, InstanceViews views, InstanceAttempts attempts, InstanceActions actions) {
        this.instances = instances;
        this.views = views;
        this.attempts = attempts;
        this.actions = actions;
    }

    @GET
    @Path("/logs")
    @Operation(summary = "Read the history of a workflow instance, oldest first")
    public Page<LogView> logs(
            @BeanParam InstanceRequest request,
            @Parameter(
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "1000",
                                            defaultValue = "1000"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @QueryParam("after") @Nullable String after) {
        int pageSize = Page.limit(limit, LOG_PAGE, LOG_PAGE);
        int from = Page.after(
                        after,
                        text -> text.matches("[0-9]{1,9}")
                                ? Optional.of(Integer.valueOf(text))
                                : Optional.<Integer>empty())
                .orElse(0);
        StoredInstance instance = find(request);
        return views.logs(instance.header().organization(), instance.header().id(), from, pageSize);
    }

    @GET
    @Path("/attempts")
    @Operation(
            summary = "Read the attempts of an instance's tasks, oldest first",
            description = "Prompts, responses, tool calls, tokens and cost of each attempt of an AI, App or Coder task,"
                    + " whether it succeeded, failed, was stopped, or was lost with its node.")
    public Page<AttemptView> attempts(
            @BeanParam InstanceRequest request,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "50", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @QueryParam("after") @Nullable String after,
            @Parameter(description = "The id of a task; only its attempts are returned.") @QueryParam("task") @Nullable
                    String task) {
        return attempts.page(find(request), limit, after, task);
    }

    /** The responses that all actions share. */
    @APIResponse(
            responseCode = "200",
            description = "The instance after the action",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "Not allowed in the current status (returned in the body)")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface InstanceActionResponses {}

    @POST
    @Path("/pause")
    @Operation(summary = "Pause an instance", description = "Running tasks finish; no new task starts.")
    @InstanceActionResponses
    public Response pause(@BeanParam InstanceRequest request) {
        return actions.act(request, "pause");
    }

    @POST
    @Path("/resume")
    @Operation(summary = "Resume an instance that was paused by request", description = "Tasks that are ready start.")
    @InstanceActionResponses
    public Response resume(@BeanParam InstanceRequest request) {
        return actions.act(request, "resume");
    }

    @POST
    @Path("/cancel")
    @Operation(
            summary = "Cancel an instance",
            description = "Running tasks are asked to stop, and their results are discarded.")
    @InstanceActionResponses
    public Response cancel(@BeanParam InstanceRequest request) {
        return actions.act(request, "cancel");
    }

    @POST
    @Path("/terminate")
    @Operation(summary = "Terminate an instance", description = "The instance ends immediately.")
    @InstanceActionResponses
    public Response terminate(@BeanParam InstanceRequest request) {
        return actions.act(request, "terminate");
    }

    @POST
    @Path("/retry")
    @Operation(summary = "Retry an instance", description = "The tasks whose exceptions paused it run again.")
    @InstanceActionResponses
    public Response retry(@BeanParam InstanceRequest request) {
        return actions.act(request, "retry");
    }

    @POST
    @Path("/rerun")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Run an instance again",
            description = "Starts a new instance with the input of this one, outside of its conversation, and waits for"
                    + " it like a trigger. With from_task, the results of the tasks before it are taken over.")
    @RunRequest.RunResponses
    @APIResponse(responseCode = "409", description = "The workflow is archived or not published, or the key is in use")
    public Response rerun(@BeanParam InstanceRequest request, @BeanParam RunRequest run, @Nullable RerunRequest body)
            throws InterruptedException {
        var validator = RequestValidator.of(body);
        int wait = run.waitSeconds(validator);
        return actions.rerun(request, body == null ? RerunRequest.EMPTY : body, wait, validator);
    }

    StoredInstance find(InstanceRequest request) {
        return request.find(instances);
    }

    InstanceView view(InstanceRequest request, @Nullable String include) {
        var validator = new RequestValidator();
        validator.requireParameter(
                include == null || include.equals("logs"),
                ViolationCode.NOT_ONE_OF,
                "include",
                "'include' must be logs.",
                Map.of("allowed", List.of("logs")));
        validator.done();
        StoredInstance instance = find(request);
        return include == null ? views.of(instance) : views.withLogs(instance);
    }

    /** Routes of the developer API. */
    @Path("/developer/api/workflow_instances/{workflow_instance_id}")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Workflow instances")
    @Access(KEY)
    public static final class DeveloperInstanceResource extends InstanceResource {
        public DeveloperInstanceResource(
                InstanceService instances, InstanceViews views, InstanceAttempts attempts, InstanceActions actions) {
            super(instances, views, attempts, actions);
        }

        @GET
        @Path("/status")
        @Operation(summary = "Read the status of a workflow instance")
        public InstanceView status(
                @BeanParam InstanceRequest request,
                @Parameter(schema = @Schema(enumeration = "logs"), description = "logs adds the status history.")
                        @QueryParam("include")
                        @Nullable
                        String include) {
            return view(request, include);
        }
    }

    /** Routes of the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/instances/{instanceId}")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Workflow instances")
    @Access(MEMBER)
    public static final class DashboardInstanceResource extends InstanceResource {
        private final WorkflowStore workflows;
        private final InstanceInputs inputs;

        public DashboardInstanceResource(
                InstanceService instances,
                InstanceViews views,
                InstanceAttempts attempts,
                InstanceActions actions,
                Database database,
                InstanceInputs inputs) {
            super(instances, views, attempts, actions);
            this.workflows = database.statements(WorkflowStore.class);
            this.inputs = inputs;
        }

        /** The definition that an instance runs. */
        @Schema(name = "WorkflowInstanceDefinition")
        public record DefinitionView(
                @Schema(description = "The published version; 0 for a test run of a draft.")
                int workflowVersion,

                @Schema(type = SchemaType.OBJECT, description = "The workflow definition")
                Map<String, @Nullable Object> document) {}

        @GET
        @Path("/definition")
        @Operation(
                summary = "Read the definition that a workflow instance runs",
                description = "The document of its published version, or the draft as it was when a test run started.")
        public DefinitionView definition(@BeanParam InstanceRequest request) {
            InstanceHeader header = find(request).header();
            String draft = header.definition();
            return new DefinitionView(
                    header.workflowVersion(),
                    draft != null
                            ? StrictJson.readObject(draft)
                            : workflows
                                    .version(header.organization(), header.workflow(), header.workflowVersion())
                                    .orElseThrow(() -> ApiProblem.notFound("version"))
                                    .document());
        }

        @GET
        @Operation(summary = "Read a workflow instance")
        public InstanceView get(
                @BeanParam InstanceRequest request,
                @Parameter(
                                schema = @Schema(enumeration = "logs"),
                                description = "logs adds the status history and the console of code.")
                        @QueryParam("include")
                        @Nullable
                        String include) {
            return view(request, include);
        }

        @Schema(name = "WorkflowInstanceInputs")
        public record StartInputs(
                @Nullable String humanMsg,
                List<String> fileUrls,

                @Schema(
                        type = SchemaType.OBJECT,
                        description = "Values of human_input parameters at the start, by name.")
                Map<String, @Nullable Object> values,

                @Schema(
                        type = SchemaType.OBJECT,
                        description =
                                "Values of human_input parameters that the tasks get, by name: those at the start, those"
                                        + " that people gave later, and the message for the input that it fills.")
                Map<String, @Nullable Object> usedValues) {}

        /** The inputs of a task. */
        @Schema(name = "TaskInstanceInputs")
        public record TaskInputsView(
                @Schema(type = SchemaType.OBJECT, description = "Values by name; null if there is no value.")
                Map<String, @Nullable Object> values,

                @Schema(
                        description = "Names of inputs that each run of the task reads again and that are not stored:"
                                + " rows of data lakes, the conversation's history, the time.")
                List<String> unkept) {
            static TaskInputsView of(InputResolver.ResolvedInputs known) {
                return new TaskInputsView(known.values(), known.unkept());
            }
        }

        @GET
        @Path("/inputs")
        @Operation(operationId = "getInstanceInputs", summary = "Read the inputs of a workflow instance")
        public StartInputs started(@BeanParam InstanceRequest request) {
            InstanceState state = find(request).state();
            TriggerData trigger = state.trigger();
            return new StartInputs(
                    trigger.humanMessage(), trigger.fileUrls(), trigger.inputs(), InputResolver.humanValues(state));
        }

        @GET
        @Path("/inputs/{taskId}")
        @Operation(
                operationId = "getTaskInputs",
                summary = "Read the inputs of a workflow instance's task",
                description = "A task whose result is reused has the inputs of the instance in which it ran.")
        public TaskInputsView ofTask(@BeanParam InstanceRequest request, @PathParam("taskId") String taskId) {
            StoredInstance instance = find(request);
            var task = new TaskId(taskId);
            if (!instance.state().plan().has(task)) {
                throw ApiProblem.notFound("task");
            }
            return TaskInputsView.of(inputs.of(instance, task));
        }

        /** The inputs of all tasks by task id. */
        @Schema(name = "WorkflowInstanceTaskInputs")
        public record AllTaskInputsView(Map<String, TaskInputsView> tasks) {}

        @GET
        @Path("/task-inputs")
        @Operation(operationId = "listTaskInputs", summary = "Read the inputs of all tasks of a workflow instance")
        public AllTaskInputsView ofAllTasks(@BeanParam InstanceRequest request) {
            Map<String, TaskInputsView> all = new LinkedHashMap<>();
            inputs.ofAll(find(request)).forEach((task, known) -> all.put(task.value(), TaskInputsView.of(known)));
            return new AllTaskInputsView(all);
        }
    }
}
