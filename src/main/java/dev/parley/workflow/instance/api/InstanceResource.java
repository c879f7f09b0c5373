package dev.parley.workflow.instance.api;

import dev.parley.http.ApiKeyCaller;
import dev.parley.http.BodyFilter;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.media.FileScope;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.AttemptView;
import dev.parley.workflow.instance.view.InstanceAttempts;
import dev.parley.workflow.instance.view.InstanceView;
import dev.parley.workflow.instance.view.InstanceViews;
import dev.parley.workflow.instance.view.ListedView;
import dev.parley.workflow.instance.view.LogView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Workflows and their instances in the developer API. */
@Path("/developer/api")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflow instances")
public final class InstanceResource {
    private static final int DEFAULT_WAIT_SECONDS = 30;
    private static final int MAX_WAIT_SECONDS = 120;
    private static final int LOG_PAGE = 1_000;

    private final InstanceService instances;
    private final InstanceViews views;
    private final InstanceReader reader;
    private final InstanceAttempts attempts;
    private final SyncTrigger trigger;
    private final IdempotencyKeys idempotency;

    public InstanceResource(
            InstanceService instances,
            InstanceViews views,
            InstanceReader reader,
            InstanceAttempts attempts,
            SyncTrigger trigger,
            IdempotencyKeys idempotency) {
        this.instances = instances;
        this.views = views;
        this.reader = reader;
        this.attempts = attempts;
        this.trigger = trigger;
        this.idempotency = idempotency;
    }

    /** The body of a trigger. */
    @Schema(name = "TriggerRequest")
    public record TriggerRequest(
            @Schema(description = "The message that triggers the workflow, if any; at most 262,144 characters.")
            @Nullable
            String humanMsg,

            @Schema(
                    description = "At most 100 http, https or s3 URLs of files. They are the value of the inputs named"
                            + " file_urls. A workflow without such an input passes them to every AI task that has no"
                            + " predecessor.")
            @Nullable
            List<@Nullable String> fileUrls,

            @Schema(type = SchemaType.OBJECT, description = "Values for human_input parameters by name.") @Nullable
            Map<String, @Nullable Object> inputs) {
        static final TriggerRequest EMPTY = new TriggerRequest(null, null, null);
    }

    @POST
    @Path("/workflows/{workflow_id}/trigger/sync")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Trigger a workflow and wait for it",
            description = "Answers when the instance is COMPLETED, FAILED, CANCELLED, TERMINATED or PAUSED, or when the"
                    + " time is up; it goes on then. A client that hangs up does not stop it.")
    @APIResponse(
            responseCode = "200",
            description = "The instance came to an end or a pause",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(
            responseCode = "202",
            description = "It runs still",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The workflow is not published, or the key is in use")
    @APIResponse(responseCode = "429", description = "Too many instances run at once")
    public Response trigger(
            @Context RoutingContext http,
            @PathParam("workflow_id") String id,
            @Parameter(
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "0",
                                            maximum = "120",
                                            defaultValue = "30"),
                            description = "How long to wait; 0 is the asynchronous start.")
                    @QueryParam("wait_seconds")
                    @Nullable
                    String waitSeconds,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            @Nullable TriggerRequest body)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        TriggerRequest request = body == null ? TriggerRequest.EMPTY : body;
        var checks = new RequestValidator();
        int wait = waitSeconds(waitSeconds, checks);
        instances.check(FileScope.of(caller), request.humanMsg, request.fileUrls, checks);
        checks.done();
        WorkflowId workflow = RequestValidator.pathId(id, "workflow", WorkflowId::parse);
        Optional<Claim> claim =
                IdempotencyKeys.claim(caller, "POST /workflows/" + workflow + "/trigger/sync", idempotencyKey, request);
        caller.requireWorkflow(workflow);
        return trigger.run(
                new InstanceService.Trigger(
                        caller.organization(),
                        workflow,
                        null,
                        caller.teamId(),
                        caller.createdBy(),
                        request.humanMsg,
                        SyncTrigger.present(request.fileUrls),
                        SyncTrigger.present(request.inputs)),
                wait,
                claim,
                () -> BodyFilter.bodyUsed(http));
    }

    @GET
    @Path("/workflow_instances/{workflow_instance_id}/status")
    @Operation(summary = "Read the status of a workflow instance")
    @APIResponse(
            responseCode = "200",
            description = "The instance",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    public InstanceView status(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @Parameter(schema = @Schema(enumeration = "logs"), description = "logs adds the status history.")
                    @QueryParam("include")
                    @Nullable
                    String include) {
        var checks = new RequestValidator();
        checks.requireParameter(include == null || include.equals("logs"), "include", "'include' must be logs.");
        checks.done();
        StoredInstance instance = visible(ApiKeyCaller.of(http), id);
        return include == null ? views.of(instance) : views.withLogs(instance);
    }

    /** A page of instances. */
    @Schema(name = "WorkflowInstancePage")
    public record InstancePage(
            List<ListedView> items,

            @Schema(description = "Send as after for the next page; null on the last.") @Nullable
            String next) {}

    @GET
    @Path("/workflow_instances")
    @Operation(summary = "List workflow instances, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstancePage.class)))
    public Page<ListedView> list(
            @Context RoutingContext http,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after,
            @Parameter(schema = @Schema(implementation = InstanceStatus.class)) @QueryParam("status") @Nullable
                    String status,
            @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(schema = @Schema(type = SchemaType.STRING, format = "date-time"))
                    @QueryParam("created_since")
                    @Nullable
                    String createdSince) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        var query = InstanceQuery.read(limit, after, status, workflowId, createdSince);
        if (query.filter().workflow() != null) {
            caller.requireWorkflow(query.filter().workflow());
        }
        WorkflowId only = caller.workflowId();
        var filter = new InstanceReader.InstanceFilter(
                query.filter().status(),
                only != null ? only : query.filter().workflow(),
                caller.teamId(),
                query.filter().createdSince());
        return query.page(reader, caller.organization(), filter);
    }

    /** A page of the history. */
    @Schema(name = "WorkflowInstanceLogPage")
    public record LogPage(List<LogView> items, @Nullable String next) {}

    @GET
    @Path("/workflow_instances/{workflow_instance_id}/logs")
    @Operation(summary = "Read the history of a workflow instance, oldest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = LogPage.class)))
    public Page<LogView> logs(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "1000"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after) {
        int most = Page.limit(limit, LOG_PAGE, LOG_PAGE);
        int from = InstanceQuery.version(after);
        StoredInstance instance = visible(ApiKeyCaller.of(http), id);
        return views.logs(instance.header().organization(), instance.header().id(), from, most);
    }

    @GET
    @Path("/workflow_instances/{workflow_instance_id}/attempts")
    @Operation(
            summary = "Read what was done in the attempts of an instance's tasks, oldest first",
            description = "Prompts, answers, tool calls, tokens and cost of each attempt of an AI, App or Coder task,"
                    + " be it that it succeeded, failed, was stopped, or was lost with its node.")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstanceAttempts.AttemptPage.class)))
    public Page<AttemptView> attempts(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "50", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after,
            @Parameter(description = "The id of a task, for its attempts alone.") @QueryParam("task") @Nullable
                    String task) {
        return attempts.page(visible(ApiKeyCaller.of(http), id), limit, after, task);
    }

    @POST
    @Path("/workflow_instances/{workflow_instance_id}/pause")
    @Operation(summary = "Pause an instance", description = "Running tasks finish, and nothing new starts.")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public Response pause(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey) {
        return act(http, id, "pause", idempotencyKey);
    }

    @POST
    @Path("/workflow_instances/{workflow_instance_id}/resume")
    @Operation(summary = "Resume an instance that was paused by request", description = "What is ready starts.")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public Response resume(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey) {
        return act(http, id, "resume", idempotencyKey);
    }

    @POST
    @Path("/workflow_instances/{workflow_instance_id}/cancel")
    @Operation(
            summary = "Cancel an instance",
            description = "Tasks in flight are told to stop, and their results are dropped.")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public Response cancel(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey) {
        return act(http, id, "cancel", idempotencyKey);
    }

    @POST
    @Path("/workflow_instances/{workflow_instance_id}/terminate")
    @Operation(summary = "Terminate an instance", description = "It ends at once.")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public Response terminate(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey) {
        return act(http, id, "terminate", idempotencyKey);
    }

    @POST
    @Path("/workflow_instances/{workflow_instance_id}/retry")
    @Operation(summary = "Retry an instance", description = "The tasks run again whose exceptions paused it.")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public Response retry(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey) {
        return act(http, id, "retry", idempotencyKey);
    }

    private Response act(RoutingContext http, String id, String action, @Nullable String idempotencyKey) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        StoredInstance instance = visible(caller, id);
        String route = "POST /workflow_instances/" + instance.header().id() + "/" + action;
        Optional<Claim> claim = IdempotencyKeys.claim(caller, route, idempotencyKey, "");
        Optional<IdempotencyKeys.StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        try {
            StoredInstance after = instances.request(
                    caller.organization(),
                    instance.header().id(),
                    InstanceAction.event(action, caller.createdBy()),
                    claim.map(one -> new Companion.ClaimIdempotencyKey(one, 200))
                            .orElse(null));
            return claim.map(one -> trigger.changed(one, after))
                    .orElseGet(() ->
                            Response.ok(StrictJson.writeBytes(views.of(after))).build());
        } catch (ApiProblem refused) {
            // A concurrent duplicate of this request may have been faster: its response then applies to this one too.
            return claim.flatMap(idempotency::stored).orElseThrow(() -> refused).replay();
        }
    }

    /** Parses {@code ?wait_seconds=}. */
    static int waitSeconds(@Nullable String text, RequestValidator checks) {
        if (text == null) {
            return DEFAULT_WAIT_SECONDS;
        }
        try {
            int seconds = Integer.parseInt(text);
            if (seconds >= 0 && seconds <= MAX_WAIT_SECONDS) {
                return seconds;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        checks.requireParameter(false, "wait_seconds", "'wait_seconds' must be a whole number from 0 to 120.");
        return 0;
    }

    private StoredInstance visible(ApiKeyCaller caller, String id) {
        WorkflowInstanceId instance = RequestValidator.pathId(id, "workflow instance", WorkflowInstanceId::parse);
        StoredInstance found = instances.find(caller.organization(), instance);
        if (!caller.sees(found.header().teamId())) {
            throw ApiProblem.notFound("workflow instance");
        }
        caller.requireWorkflow(found.header().workflow());
        return found;
    }
}
