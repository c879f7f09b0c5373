package dev.parley.openai;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.openai.request.RequestFields.json;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.parley.db.Database;
import dev.parley.http.LargeBody;
import dev.parley.http.access.Access;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.Viewer;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.id.ConversationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.openai.WorkflowAnswers.WorkflowRun;
import dev.parley.openai.request.ChatRequestReader;
import dev.parley.openai.request.CompletionRequest;
import dev.parley.openai.request.RequestFields;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.WorkflowStore;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jspecify.annotations.Nullable;

/** Models and chat completions in OpenAI's dialect, whose reference describes them (docs/guides/openai.md). */
@Path(ProblemResponse.OPENAI_PATH)
@Produces(MediaType.WILDCARD) // Clients accept any type, and get an event stream or JSON.
@RunOnVirtualThread
@Access(KEY)
public final class OpenAiResource {
    private static final int MAX_WORKFLOWS = 10_000;
    private static final String CONVERSATION = "conversation_id";

    private final CompletionService completions;
    private final ModelAnswers answers;
    private final WorkflowAnswers workflows;
    private final WorkflowStore published;

    public OpenAiResource(
            CompletionService completions, ModelAnswers answers, WorkflowAnswers workflows, Database database) {
        this.completions = completions;
        this.answers = answers;
        this.workflows = workflows;
        this.published = database.statements(WorkflowStore.class);
    }

    /** A body of either dialect. Most members are optional, and unknown ones are ignored. */
    @LargeBody
    public record OpenAiBody(Map<String, @Nullable Object> members) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public OpenAiBody {}
    }

    @GET
    @Path("/models")
    @Operation(hidden = true)
    public Response models(@Context RoutingContext http) {
        Viewer viewer = Viewer.of(http);
        List<Object> models = new ArrayList<>();
        if (viewer.workflowId() == null) {
            answers.aliases(viewer.organization()).forEach(alias -> models.add(model(alias, alias, 0)));
        }
        for (var workflow : published.names(viewer.organization(), MAX_WORKFLOWS)) {
            boolean isAllowed =
                    viewer.workflowId() == null || viewer.workflowId().equals(workflow.id());
            if (isAllowed && workflow.published() && !workflow.archived()) {
                models.add(
                        model(WorkflowAnswers.PREFIX + workflow.id().text(), workflow.name(), created(workflow.id())));
            }
        }
        return CompletionService.json(json("object", "list", "data", models));
    }

    @GET
    @Path("/models/{model: .+}")
    @Operation(hidden = true)
    public Response model(@Context RoutingContext http, @PathParam("model") String model) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        if (WorkflowAnswers.isWorkflow(model)) {
            WorkflowId workflow = workflows.workflow(caller, model);
            return CompletionService.json(model(model, model, created(workflow)));
        }
        caller.requireWorkflow(null);
        if (!answers.aliases(caller.organization()).contains(model)) {
            throw ModelAnswers.notFound(model);
        }
        return CompletionService.json(model(model, model, 0));
    }

    private static long created(WorkflowId workflow) {
        return UuidV7.time(workflow.value()).getEpochSecond();
    }

    private static Map<String, @Nullable Object> model(String id, String name, long created) {
        return json("id", id, "object", "model", "created", created, "owned_by", "organization", "name", name);
    }

    @POST
    @Path("/chat/completions")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(hidden = true)
    public void complete(@Context RoutingContext http, @Suspended AsyncResponse async, OpenAiBody body)
            throws InterruptedException {
        CompletionRequest request = ChatRequestReader.read(RequestFields.of(body.members()));
        completions.acquire(http);
        if (!WorkflowAnswers.isWorkflow(request.model())) {
            completions.ofModel(http, async, request, dialect(request, UuidV7.next()), _ -> {});
            return;
        }
        WorkflowRun run = workflows.begin(http, request, conversation(request), _ -> {});
        completions.ofWorkflow(
                http, async, request, run, dialect(request, run.message().value()));
    }

    private static ChatCompletionDialect dialect(CompletionRequest request, UUID id) {
        return new ChatCompletionDialect(
                request, "chatcmpl-" + UuidV7.text(id), UuidV7.time(id).getEpochSecond());
    }

    /** The conversation that a request for a workflow continues. */
    static Optional<ConversationId> conversation(CompletionRequest request) {
        Map<String, @Nullable Object> metadata = new HashMap<>(request.metadata());
        return Optional.ofNullable(metadata.get(CONVERSATION)).map(id -> ConversationId.parse(String.valueOf(id))
                .orElseThrow(() -> ApiProblem.invalid(Violation.invalid(
                        ViolationCode.INVALID_FORMAT,
                        "/metadata/" + CONVERSATION,
                        "'/metadata/conversation_id' must be the id of a conversation."))));
    }
}
