package dev.parley.tool;

import dev.parley.db.Database;
import dev.parley.egress.EgressRequest;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.problem.Violation;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.catalog.CredentialCipher;
import dev.parley.tool.catalog.Tool;
import dev.parley.tool.catalog.ToolProviderStore;
import dev.parley.tool.catalog.ToolProviders;
import dev.parley.tool.catalog.ToolStore;
import dev.parley.tool.catalog.WorkflowProvider;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import dev.parley.trace.SpanAttributes;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tools of an organization, and the only way to call one: for App tasks, for models, and for test calls. Only the
 * organization's own tools are reachable.
 */
@Singleton
public final class ToolService {
    private static final int MAX_RECORDED_LENGTH = 32_000;

    private final ToolStore store;
    private final ToolProviderStore providers;
    private final ToolProviders toolProviders;
    private final CredentialCipher cipher;
    private final Map<BuiltInToolId, BuiltInTool> builtIns = new EnumMap<>(BuiltInToolId.class);

    public ToolService(
            Database database,
            ToolProviders toolProviders,
            CredentialCipher cipher,
            @Any Instance<BuiltInTool> builtIns) {
        this.store = database.statements(ToolStore.class);
        this.providers = database.statements(ToolProviderStore.class);
        this.toolProviders = toolProviders;
        this.cipher = cipher;
        builtIns.forEach(tool -> this.builtIns.put(tool.tool(), tool));
    }

    /**
     * A tool's description for a model.
     *
     * @param name for a workflow its title, since its name as a tool is an id
     * @param inputSchema JSON Schema of the arguments: an object, without references
     */
    public record Description(
            int toolId, String provider, String name, String description, Map<String, Object> inputSchema) {}

    /** The available tools among these, in the order of the ids. */
    public List<Description> describe(OrganizationId organization, Collection<Integer> ids) {
        return ids.stream()
                .flatMap(id -> find(organization, id).stream())
                .filter(Tool::available)
                .map(tool -> new Description(
                        tool.toolId(),
                        tool.provider(),
                        tool.providerId() == WorkflowProvider.ID ? tool.title() : tool.toolName(),
                        tool.description(),
                        StrictJson.readObject(tool.inputSchema().text())))
                .toList();
    }

    /** A tool, available or not. */
    public Optional<Tool> find(OrganizationId organization, int id) {
        return BuiltInToolId.of(id).map(BuiltInToolId::catalogueEntry).or(() -> store.find(organization, id));
    }

    /** In id order, the built-in ones first, with at most {@code limit} others. */
    List<Tool> list(OrganizationId organization, ToolStore.ToolFilter filter, int after, int limit) {
        List<Tool> all = new ArrayList<>();
        Arrays.stream(BuiltInToolId.values())
                .map(BuiltInToolId::catalogueEntry)
                .filter(tool -> tool.toolId() > after && filter.matches(tool))
                .forEach(all::add);
        all.addAll(store.list(organization, filter, after, limit));
        return all;
    }

    /** The ids of all tools of these providers, available or not, each with its provider's id. */
    public Map<String, String> idsByProvider(OrganizationId organization, List<String> providers) {
        Map<String, String> ids = new HashMap<>();
        String builtIn = Integer.toString(BuiltInToolId.PROVIDER_ID);
        if (providers.contains(builtIn)) {
            for (BuiltInToolId tool : BuiltInToolId.values()) {
                ids.put(Integer.toString(tool.id()), builtIn);
            }
        }
        List<String> numbers =
                providers.stream().filter(id -> id.matches("[0-9]{1,9}")).toList();
        ids.putAll(store.ofProviders(organization, numbers));
        return ids;
    }

    /**
     * Validates the arguments and calls the tool.
     *
     * @param idempotencyKey passed to the tool; the same for calls that must take effect only once
     * @param limit time limit for everything
     * @throws ToolFailure if there is no result; transient if the same call may succeed later
     */
    public ToolOutcome call(
            OrganizationId organization,
            int id,
            Map<String, @Nullable Object> arguments,
            String idempotencyKey,
            Duration limit)
            throws ToolFailure, InterruptedException {
        Deadline deadline = Deadline.in(limit);
        Tool tool = checked(organization, id, arguments);
        try (TraceSpan span = Tracing.internal("execute_tool", tool.toolName())) {
            span.set(organization)
                    .set(SpanAttributes.OPERATION, "execute_tool")
                    .set(SpanAttributes.TOOL_NAME, tool.toolName());
            if (Tracing.recordsContents()) {
                span.set(SpanAttributes.TOOL_ARGUMENTS, StrictJson.write(arguments));
            }
            try {
                ToolOutcome outcome = call(organization, tool, arguments, idempotencyKey, deadline);
                if (Tracing.recordsContents()) {
                    span.set(SpanAttributes.TOOL_RESULT, outcome.truncated(MAX_RECORDED_LENGTH));
                }
                return outcome;
            } catch (ToolFailure e) {
                span.fail(e.isTransient() ? "transient_failure" : "permanent_failure");
                throw e;
            }
        }
    }

    private ToolOutcome call(
            OrganizationId organization,
            Tool tool,
            Map<String, @Nullable Object> arguments,
            String idempotencyKey,
            Deadline deadline)
            throws ToolFailure, InterruptedException {
        int id = tool.toolId();
        ToolCall call = new ToolCall(arguments, idempotencyKey, deadline);
        Optional<BuiltInToolId> builtIn = BuiltInToolId.of(id);
        if (builtIn.isPresent()) {
            return required(builtIn.get()).call(organization, call);
        }
        if (tool.providerId() == WorkflowProvider.ID) {
            throw ToolFailure.permanent("Not available", "A workflow can be called by tasks only; trigger it instead.");
        }
        ProviderAccess provider = connection(organization, tool.providerId()).orElseThrow(() -> unavailable(id));
        return toolProviders
                .source(provider.kind())
                .call(provider, tool.toolName(), store.binding(organization, id), call);
    }

    /**
     * The HTTP request of a call, without credentials, which is not sent.
     *
     * @return empty for a tool that no single request calls
     */
    Optional<EgressRequest> request(Tool tool, OrganizationId organization, Map<String, @Nullable Object> arguments)
            throws ToolFailure {
        ProviderAccess provider = connection(organization, tool.providerId()).orElse(null);
        if (provider == null || ToolProviders.isBuiltIn(tool.providerId())) {
            return Optional.empty();
        }
        ToolCall call = new ToolCall(arguments, "", Deadline.in(Duration.ZERO));
        return toolProviders.source(provider.kind()).request(store.binding(organization, tool.toolId()), call);
    }

    private Optional<ProviderAccess> connection(OrganizationId organization, int provider) {
        return providers.access(organization, provider, false).map(stored -> stored.decrypted(cipher));
    }

    private Tool callable(OrganizationId organization, int id) throws ToolFailure {
        Tool tool = find(organization, id).orElseThrow(() -> unavailable(id));
        if (tool.available()) {
            return tool;
        }
        boolean isDisabled = providers
                .access(organization, tool.providerId(), false)
                .map(stored -> !stored.provider().enabled())
                .orElse(false);
        throw isDisabled
                ? ToolFailure.permanent(
                        "Provider not enabled", "The provider '" + tool.provider() + "' of the tool is not enabled.")
                : unavailable(id);
    }

    /**
     * Validates the arguments of a {@link WaitingTool}.
     *
     * @return empty for a tool that has a result at once
     */
    public Optional<ToolWait> waitFor(OrganizationId organization, int id, Map<String, @Nullable Object> arguments)
            throws ToolFailure {
        Optional<BuiltInToolId> builtIn = BuiltInToolId.of(id);
        if (builtIn.isEmpty() || !(required(builtIn.get()) instanceof WaitingTool waiting)) {
            return Optional.empty();
        }
        var _ = checked(organization, id, arguments);
        return Optional.of(waiting.waitFor(arguments));
    }

    /** Validates a call of a tool that its caller executes. */
    public Tool checked(OrganizationId organization, int id, Map<String, @Nullable Object> arguments)
            throws ToolFailure {
        Tool tool = callable(organization, id);
        List<Violation> violations = tool.check(arguments, "");
        if (!violations.isEmpty()) {
            throw ToolFailure.permanent(
                    "Invalid arguments",
                    "The arguments do not fit the tool: "
                            + violations.getFirst().detail());
        }
        return tool;
    }

    private BuiltInTool required(BuiltInToolId tool) {
        return Objects.requireNonNull(builtIns.get(tool), () -> "no tool " + tool);
    }

    private static ToolFailure unavailable(int id) {
        return ToolFailure.permanent(
                "Tool not available", "The tool with the id " + id + " is no longer in the organization's catalogue.");
    }
}
