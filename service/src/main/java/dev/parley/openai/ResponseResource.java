package dev.parley.openai;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.openai.request.RequestFields.json;

import dev.parley.db.Database;
import dev.parley.http.access.Access;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.ResponseId;
import dev.parley.id.UuidV7;
import dev.parley.node.MaintenanceJob;
import dev.parley.openai.OpenAiResource.OpenAiBody;
import dev.parley.openai.ResponseStore.StoredResponse;
import dev.parley.openai.WorkflowAnswers.WorkflowRun;
import dev.parley.openai.request.CompletionRequest;
import dev.parley.openai.request.RequestFields;
import dev.parley.openai.request.ResponseRequestReader;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jspecify.annotations.Nullable;

/** Responses in OpenAI's dialect, whose reference describes them (docs/guides/openai.md). */
@Path(ProblemResponse.OPENAI_PATH + "/responses")
@jakarta.ws.rs.Produces(MediaType.WILDCARD) // Clients accept any type, and get an event stream or JSON.
@RunOnVirtualThread
@Access(KEY)
public final class ResponseResource {
    /** As long as OpenAI keeps them. */
    private static final Duration RETENTION = Duration.ofDays(30);

    /** A response is stored with what it repeats of its request, and read with every request that continues it. */
    private static final int MAX_CHAIN_BYTES = 4 << 20;

    private final CompletionService completions;
    private final WorkflowAnswers workflows;
    private final InstanceService instances;
    private final ResponseStore store;
    private final Clock clock;

    public ResponseResource(
            CompletionService completions,
            WorkflowAnswers workflows,
            InstanceService instances,
            Database database,
            Clock clock) {
        this.completions = completions;
        this.workflows = workflows;
        this.instances = instances;
        this.store = database.statements(ResponseStore.class);
        this.clock = clock;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(hidden = true)
    public void create(@Context RoutingContext http, @Suspended AsyncResponse async, OpenAiBody members)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        RequestFields body = RequestFields.of(members.members());
        List<Map<String, @Nullable Object>> items = input(caller, body);
        Optional<StoredResponse> previous = body.text("previous_response_id").map(id -> ResponseId.parse(id)
                .flatMap(parsed -> visible(caller, parsed))
                .orElseThrow(() -> notStored("/previous_response_id", "previous response", id)));
        List<Map<String, @Nullable Object>> earlier = new ArrayList<>();
        previous.filter(one -> one.workflowId() == null)
                .ifPresent(one -> store.chain(caller.organization(), one.id()).forEach(each -> {
                    earlier.addAll(items(each.input()));
                    earlier.addAll(output(each));
                }));
        CompletionRequest request = ResponseRequestReader.read(body, earlier, items);
        boolean isWorkflow = WorkflowAnswers.isWorkflow(request.model());
        body.refuse("background", body.flag("background") && !isWorkflow, "only workflows run in the background.");
        body.refuse(
                "previous_response_id",
                previous.isPresent() && isWorkflow != (previous.get().workflowId() != null),
                "a workflow does not continue the response of a model, nor the reverse.");
        completions.acquire(http);
        if (isWorkflow) {
            ofWorkflow(http, async, request, previous);
        } else {
            ofModel(http, async, request, previous, items);
        }
    }

    private void ofModel(
            RoutingContext http,
            AsyncResponse async,
            CompletionRequest request,
            Optional<StoredResponse> previous,
            List<Map<String, @Nullable Object>> items)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        var id = new ResponseId(UuidV7.next());
        boolean isStored = request.body().flag("store");
        String input = isStored ? StrictJson.write(items) : "";
        int before = previous.map(StoredResponse::chainBytes).orElse(0);
        ResponseDialect dialect = ResponseDialect.of(request, id, isStored);
        checkSize(request, before + input.length() + (isStored ? size(dialect) : 0));
        completions.ofModel(http, async, request, dialect, whole -> {
            if (isStored) {
                String response = StrictJson.write(whole);
                store.insert(new StoredResponse(
                        caller.organization(),
                        id,
                        previous.map(StoredResponse::id).orElse(null),
                        caller.teamId(),
                        null,
                        null,
                        input,
                        response,
                        before + input.length() + response.length(),
                        clock.instant()));
            }
        });
    }

    private static int size(ResponseDialect dialect) {
        return StrictJson.write(dialect.blank()).length();
    }

    private static void checkSize(CompletionRequest request, int bytes) {
        request.body()
                .require(
                        bytes <= MAX_CHAIN_BYTES,
                        ViolationCode.TOO_LONG,
                        "input",
                        "is too long to be stored with what it continues: send s3: URLs of files.");
    }

    private void ofWorkflow(
            RoutingContext http, AsyncResponse async, CompletionRequest request, Optional<StoredResponse> previous)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        checkSize(request, size(ResponseDialect.of(request, new ResponseId(UuidV7.next()), true)));
        Optional<ConversationId> conversation =
                previous.map(StoredResponse::conversationId).or(() -> OpenAiResource.conversation(request));
        WorkflowRun run = workflows.begin(http, request, conversation, turn -> {
            var id = new ResponseId(turn.message().value());
            String blank =
                    StrictJson.write(ResponseDialect.of(request, id, true).blank());
            store.insert(new StoredResponse(
                    caller.organization(),
                    id,
                    previous.map(StoredResponse::id).orElse(null),
                    turn.teamId(),
                    turn.workflow(),
                    turn.conversation(),
                    "",
                    blank,
                    blank.length(),
                    clock.instant()));
        });
        var id = new ResponseId(run.message().value());
        completions.ofWorkflow(http, async, request, run, ResponseDialect.of(request, id, true));
    }

    @GET
    @Path("/{response}")
    @Operation(hidden = true)
    public Response get(
            @Context RoutingContext http,
            @PathParam("response") String id,
            @QueryParam("stream") @Nullable String stream) {
        if ("true".equals(stream)) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.NOT_ALLOWED,
                    "stream",
                    "A response cannot be streamed again: read it until it ends."));
        }
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        return CompletionService.json(current(caller, find(caller, id)));
    }

    @POST
    @Path("/{response}/cancel")
    @Operation(hidden = true)
    public Response cancel(@Context RoutingContext http, @PathParam("response") String id) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        StoredResponse found = find(caller, id);
        StoredInstance instance = workflows
                .find(caller, found)
                .orElseThrow(() -> ApiProblem.of(
                        ProblemKind.WRONG_STATUS, "The response is complete: only workflows can be cancelled."))
                .instance();
        try {
            var _ = instances.request(
                    caller.organization(),
                    instance.header().id(),
                    new InstanceEvent.CancelRequested(caller.createdBy()),
                    null);
        } catch (ApiProblem problem) {
            if (!problem.kind().isConflict()) {
                throw problem;
            }
            // It has ended: the response shows how.
        }
        return CompletionService.json(current(caller, found));
    }

    @DELETE
    @Path("/{response}")
    @Operation(hidden = true)
    public Response delete(@Context RoutingContext http, @PathParam("response") String id) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        StoredResponse found = find(caller, id);
        store.delete(caller.organization(), found.id());
        return CompletionService.json(json("id", found.id().name(), "object", "response", "deleted", true));
    }

    /** The stored response; that of a workflow as its instance is now. */
    private Map<String, @Nullable Object> current(ApiKeyCaller caller, StoredResponse stored) {
        Map<String, @Nullable Object> response = object(stored.response());
        return workflows
                .find(caller, stored)
                .map(run -> new ResponseDialect(stored.id(), response).whole(workflows.answer(run)))
                .orElse(response);
    }

    private StoredResponse find(ApiKeyCaller caller, String id) {
        StoredResponse found = ResponseId.parse(id)
                .flatMap(parsed -> visible(caller, parsed))
                .orElseThrow(() -> ApiProblem.notFound("response"));
        caller.requireWorkflow(found.workflowId());
        return found;
    }

    private Optional<StoredResponse> visible(ApiKeyCaller caller, ResponseId id) {
        return store.find(caller.organization(), id)
                .filter(found -> caller.sees(found.teamId()))
                // That of a workflow which did not start is not a response.
                .filter(found -> found.workflowId() == null
                        || workflows.find(caller, found).isPresent());
    }

    /** The items of the input, with those of stored responses in the place of references. */
    private List<Map<String, @Nullable Object>> input(ApiKeyCaller caller, RequestFields body) {
        Map<UUID, List<Map<String, @Nullable Object>>> outputs = new HashMap<>();
        List<Map<String, @Nullable Object>> items = new ArrayList<>();
        int bytes = 0;
        for (Map<String, @Nullable Object> given : ResponseRequestReader.items(body)) {
            if (!"item_reference".equals(given.get("type"))) {
                items.add(given);
                continue;
            }
            // The id of an item contains that of its response.
            String id = String.valueOf(given.get("id"));
            String[] parts = id.split("_", 3);
            Optional<UUID> response = parts.length < 2 ? Optional.empty() : UuidV7.parse(parts[1]);
            List<Map<String, @Nullable Object>> output = response.map(
                            one -> outputs.computeIfAbsent(one, stored -> visibleOutput(caller, stored)))
                    .orElse(List.of());
            Map<String, @Nullable Object> item = output.stream()
                    .filter(one -> id.equals(one.get("id")))
                    .findFirst()
                    .orElseThrow(() -> notStored("/input", "item", id));
            bytes += StrictJson.write(item).length();
            body.require(
                    bytes <= MAX_CHAIN_BYTES, ViolationCode.TOO_LONG, "input", "refers to items of more than 4 MiB.");
            items.add(item);
        }
        return items;
    }

    private List<Map<String, @Nullable Object>> visibleOutput(ApiKeyCaller caller, UUID response) {
        return visible(caller, new ResponseId(response))
                .map(ResponseResource::output)
                .orElse(List.of());
    }

    private static ApiProblem notStored(String path, String what, String id) {
        return ApiProblem.invalid(Violation.invalid(
                ViolationCode.NOT_FOUND,
                path,
                "There is no stored " + what + " '" + id + "': responses are stored only with \"store\": true."));
    }

    private static List<Map<String, @Nullable Object>> output(StoredResponse response) {
        List<Map<String, @Nullable Object>> output = new ArrayList<>();
        RequestFields.of(object(response.response())).objects("output").forEach(item -> output.add(item.members()));
        return output;
    }

    @SuppressWarnings("NullAway") // The members of a response may be null.
    private static Map<String, @Nullable Object> object(String json) {
        return StrictJson.readObject(json);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // Written by this class; the members of an item may be null.
    private static List<Map<String, @Nullable Object>> items(String json) {
        return json.isEmpty() ? List.of() : StrictJson.readTrusted(json, List.class);
    }

    @Produces
    @Singleton
    MaintenanceJob responseDeletionJob() {
        return new MaintenanceJob("delete old responses", Duration.ofMinutes(30), this::deleteOld);
    }

    void deleteOld() {
        while (store.deleteOld(clock.instant().minus(RETENTION)) + store.deleteOfDeletedOrganizations() > 0) {
            // There may be more.
        }
    }
}
