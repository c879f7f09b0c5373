package dev.parley.conversation;

import dev.parley.db.Database;
import dev.parley.egress.EgressRules;
import dev.parley.http.IdSchema;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Viewer;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.json.RawJson;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.model.ModelStore;
import dev.parley.organization.OrganizationAccess;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.media.SchemaProperty;
import org.jspecify.annotations.Nullable;

/** Validates and creates conversations, for API keys and dashboard users. */
@Singleton
public final class ConversationService {
    /** The maximum size of config and of metadata as compact JSON: they are read with every conversation. */
    public static final int MAX_OBJECT_BYTES = 64 * 1024;

    private static final int MAX_URL = 2048;
    private static final int MAX_INSTRUCTIONS = 20_000;

    private final ConversationCache cache;
    private final ConversationStore store;
    private final WorkflowStageStore workflows;
    private final OrganizationAccess access;
    private final EgressRules egress;
    private final ModelStore models;

    public ConversationService(
            ConversationCache cache, Database database, OrganizationAccess access, EgressRules egress) {
        this.models = database.statements(ModelStore.class);
        this.cache = cache;
        this.store = database.statements(ConversationStore.class);
        this.workflows = database.statements(WorkflowStageStore.class);
        this.access = access;
        this.egress = egress;
    }

    /** The body of POST /conversations. */
    @FurtherChecks
    @Schema(name = "ConversationRequest")
    public record ConversationRequest(
            @Schema(description = "Only API is supported.", defaultValue = "API", enumeration = "API") @Nullable
            String channel,

            @Schema(
                    description = "DEFAULT to chat with the model, WORKFLOW_EXECUTION to run a workflow.",
                    defaultValue = "DEFAULT",
                    enumeration = {"DEFAULT", "WORKFLOW_EXECUTION"},
                    examples = "WORKFLOW_EXECUTION")
            @Nullable
            String usecase,

            @Schema(
                    type = SchemaType.OBJECT,
                    description = "workflow_id is required when usecase is WORKFLOW_EXECUTION; callback_url receives a"
                            + " webhook on every message; other keys are kept.",
                    properties = {
                        @SchemaProperty(
                                name = "workflow_id",
                                type = SchemaType.STRING,
                                pattern = IdSchema.ID,
                                description = "The workflow to execute"),
                        @SchemaProperty(
                                name = "callback_url",
                                type = SchemaType.STRING,
                                maxLength = MAX_URL,
                                description = "An absolute http or https URL"),
                        @SchemaProperty(
                                name = "model",
                                type = SchemaType.STRING,
                                description =
                                        "The alias of the model that replies if usecase is DEFAULT; by default the"
                                                + " organization's default model"),
                        @SchemaProperty(
                                name = "instructions",
                                type = SchemaType.STRING,
                                maxLength = MAX_INSTRUCTIONS,
                                description = "The system prompt if usecase is DEFAULT")
                    },
                    additionalProperties = Schema.True.class,
                    examples = "{\"workflow_id\": \"0192f0c1a2b37c4d8e5f60718293a4b5\"}")
            @Nullable
            Map<String, @Nullable Object> config,

            @Schema(type = SchemaType.OBJECT, description = "Custom data.") @Nullable
            Map<String, @Nullable Object> metadata,

            @Schema(description = "The team that it belongs to; keys of other teams don't find it.") @Nullable
            Integer teamId) {}

    /**
     * A valid conversation, which is not stored yet. Runs outside a transaction because resolving the callback's host
     * may take long.
     */
    Conversation prepare(Viewer viewer, ConversationRequest requested) {
        var validator = RequestValidator.of(requested);
        validator.require(
                requested.channel == null || requested.channel.equals("API"),
                ViolationCode.NOT_ONE_OF,
                "/channel",
                "'/channel' must be API.",
                Map.of("allowed", List.of("API")));
        ConversationUsecase usecase = usecase(requested.usecase, validator);
        Map<String, Object> config = copy(requested.config);
        Optional<WorkflowId> workflow = workflow(usecase, requested.config, config, validator);
        canonicalWorkflowId(config);
        if (usecase == ConversationUsecase.DEFAULT) {
            checkChat(viewer.organization(), config, validator);
        }
        Optional<String> callback = callback(config, validator);
        RawJson configJson = object(config, "/config", validator);
        Map<String, Object> metadata = copy(requested.metadata);
        workflow.ifPresent(id -> metadata.put("workflow_id", id.text()));
        RawJson metadataJson = object(metadata, "/metadata", validator);
        validator.done();

        viewer.requireWorkflow(usecase == ConversationUsecase.WORKFLOW_EXECUTION ? workflow.orElse(null) : null);
        OrganizationId organization = viewer.organization();
        Integer team = team(organization, viewer.teamId(), requested.teamId);
        workflow.ifPresent(id -> requirePublished(organization, id));
        ConversationId id = ConversationId.next();
        return new Conversation(
                id,
                "API",
                usecase,
                configJson,
                metadataJson,
                team,
                null,
                viewer.createdBy(),
                UuidV7.time(id.value()),
                organization,
                workflow.orElse(null),
                callback.orElse(null));
    }

    /** Creates a conversation with a published workflow, for a request of the workflow's own. */
    public ConversationId createFor(Viewer viewer, WorkflowId workflow) {
        var config = Map.<String, @Nullable Object>of("workflow_id", workflow.text());
        Conversation created = prepare(
                viewer,
                new ConversationRequest(
                        null, ConversationUsecase.WORKFLOW_EXECUTION.name(), config, null, viewer.teamId()));
        store.insert(created);
        return created.id();
    }

    /** Deletes a new conversation, unless it has messages, after its first request was refused. */
    public void deleteEmpty(Viewer viewer, ConversationId id) {
        store.deleteEmpty(viewer.organization(), id);
    }

    /** The conversation with an id; 404 if it does not exist or the viewer does not see it. */
    public ConversationRef find(Viewer viewer, ConversationId id) {
        ConversationRef found = cache.ref(viewer.organization(), id)
                .filter(one -> viewer.sees(one.teamId()))
                .orElseThrow(() -> ApiProblem.notFound("conversation"));
        viewer.requireWorkflow(found.workflowId());
        return found;
    }

    private static Map<String, Object> copy(@Nullable Map<String, @Nullable Object> value) {
        return value == null ? new LinkedHashMap<>() : new LinkedHashMap<>(value);
    }

    private static ConversationUsecase usecase(@Nullable String name, RequestValidator validator) {
        if (name == null || name.equals(ConversationUsecase.DEFAULT.name())) {
            return ConversationUsecase.DEFAULT;
        }
        validator.require(
                name.equals(ConversationUsecase.WORKFLOW_EXECUTION.name()),
                ViolationCode.NOT_ONE_OF,
                "/usecase",
                "'/usecase' must be DEFAULT or WORKFLOW_EXECUTION.",
                Map.of("allowed", List.of("DEFAULT", "WORKFLOW_EXECUTION")));
        return ConversationUsecase.WORKFLOW_EXECUTION;
    }

    private static Optional<WorkflowId> workflow(
            ConversationUsecase usecase,
            @Nullable Object value,
            Map<String, Object> config,
            RequestValidator validator) {
        if (usecase != ConversationUsecase.WORKFLOW_EXECUTION) {
            return Optional.empty();
        }
        Object id = config.get("workflow_id");
        if (id == null) {
            validator.add(Violation.missing(value == null ? "/config" : "/config/workflow_id"));
            return Optional.empty();
        }
        return text(config, "/config/workflow_id", validator)
                .flatMap(text -> validator.id(text, "/config/workflow_id", WorkflowId::parse));
    }

    /** Converts the workflow id to canonical form, even if the usecase does not need it. */
    private static void canonicalWorkflowId(Map<String, Object> config) {
        config.computeIfPresent(
                "workflow_id",
                (_, id) -> id instanceof String text
                        ? WorkflowId.parse(text).map(WorkflowId::text).orElse(text)
                        : id);
    }

    private void checkChat(OrganizationId organization, Map<String, Object> config, RequestValidator validator) {
        String path = "/config/model";
        text(config, path, validator)
                .ifPresent(alias -> validator.require(
                        models.known(organization, Set.of(alias)).contains(alias),
                        ViolationCode.NOT_FOUND,
                        path,
                        "The organization has no such model.",
                        Map.of("id", alias)));
        String instructions = "/config/instructions";
        text(config, instructions, validator)
                .ifPresent(text -> validator.text(text, instructions, 1, MAX_INSTRUCTIONS));
    }

    /** A text in the config; empty if absent or of another type, which is a violation. */
    private static Optional<String> text(Map<String, Object> config, String path, RequestValidator validator) {
        Object value = config.get(path.substring("/config/".length()));
        if (value != null && !(value instanceof String)) {
            validator.add(new Violation(
                            Violation.INVALID_TYPE, ViolationCode.WRONG_TYPE, path, "'" + path + "' must be a string.")
                    .with("expected", "string"));
        }
        return value instanceof String text ? Optional.of(text) : Optional.empty();
    }

    private Optional<String> callback(Map<String, Object> config, RequestValidator validator) {
        Optional<String> given = text(config, "/config/callback_url", validator);
        if (given.isEmpty()) {
            return given;
        }
        String url = given.get();
        try {
            Optional<String> violation = url.length() > MAX_URL
                    ? Optional.of("must have at most " + MAX_URL + " characters.")
                    : egress.checkResolving(url);
            violation.ifPresent(detail ->
                    validator.add(Violation.invalid(ViolationCode.UNREACHABLE, "/config/callback_url", detail)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return Optional.of(url);
    }

    private static RawJson object(Map<String, Object> value, String path, RequestValidator validator) {
        String json = StrictJson.write(value);
        int size = json.getBytes(StandardCharsets.UTF_8).length;
        validator.require(
                size <= MAX_OBJECT_BYTES,
                ViolationCode.TOO_LONG,
                path,
                "'" + path + "' must have at most " + MAX_OBJECT_BYTES + " bytes as JSON, not " + size + ".",
                Map.of("max", MAX_OBJECT_BYTES, "actual", size));
        return new RawJson(json);
    }

    private @Nullable Integer team(
            OrganizationId organization, @Nullable Integer onlyTeam, @Nullable Integer requested) {
        if (requested == null) {
            return onlyTeam;
        }
        if (onlyTeam != null && !onlyTeam.equals(requested)) {
            throw ApiProblem.of(ProblemKind.FORBIDDEN, "The API key belongs to another team.");
        }
        if (!access.teamExists(organization, requested)) {
            throw ApiProblem.invalid(Violation.invalid(ViolationCode.NOT_FOUND, "/team_id", "There is no such team."));
        }
        return requested;
    }

    private void requirePublished(OrganizationId organization, WorkflowId id) {
        String violation =
                switch (workflows.stage(organization, id)) {
                    case PUBLISHED -> "";
                    case DRAFT -> "The workflow is not published yet.";
                    case ARCHIVED -> "The workflow is archived.";
                    case UNKNOWN -> "There is no such workflow.";
                };
        if (!violation.isEmpty()) {
            throw ApiProblem.invalid(Violation.invalid(ViolationCode.NOT_FOUND, "/config/workflow_id", violation));
        }
    }
}
