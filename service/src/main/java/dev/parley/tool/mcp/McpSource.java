package dev.parley.tool.mcp;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.SchemaTree;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import dev.parley.tool.source.ToolSource;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MCP servers as tool providers. If a server was restarted, a new session is opened once. If it dies during a call, the
 * failure is transient, because the effect of the call is unknown.
 */
@Singleton
public final class McpSource implements ToolSource {
    private static final int MAX_DESCRIPTION_LENGTH = 4_000;
    private static final int MAX_TITLE_LENGTH = 200;
    private static final int MAX_SCHEMA_LENGTH = 64 * 1024;

    private final McpSessions sessions;

    McpSource(McpSessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public ProviderKind kind() {
        return ProviderKind.MCP;
    }

    @Override
    public ToolDiscovery discover(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException {
        try (McpSession session = sessions.open(provider, deadline)) {
            return read(session.tools(deadline), provider.credentials());
        } catch (McpSession.SessionGoneException failed) {
            throw failed.reason();
        }
    }

    @Override
    public Set<String> destinations(ProviderAccess provider) {
        return provider.url() == null ? Set.of() : Set.of(ToolSource.origin(provider.url()));
    }

    @Override
    public ToolOutcome call(ProviderAccess provider, String tool, String binding, ToolCall call)
            throws ToolFailure, InterruptedException {
        McpSession pooled = sessions.acquire(provider);
        if (pooled != null) {
            try {
                return call(pooled, provider, tool, call);
            } catch (McpSession.SessionGoneException _) {
                // The server was restarted; a new session is opened below.
            }
        }
        McpSession fresh = sessions.open(provider, call.deadline());
        try {
            return call(fresh, provider, tool, call);
        } catch (McpSession.SessionGoneException failed) {
            throw failed.reason();
        }
    }

    private ToolOutcome call(McpSession session, ProviderAccess provider, String tool, ToolCall call)
            throws ToolFailure, InterruptedException, McpSession.SessionGoneException {
        Object result = session.call(tool, call.arguments(), call.idempotencyKey(), call.deadline());
        sessions.release(provider, session);
        return McpResult.outcome(result, provider.credentials());
    }

    private static ToolDiscovery read(List<@Nullable Object> offered, ToolCredentials credentials) {
        List<DiscoveredTool> tools = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Object entry : offered) {
            if (!(entry instanceof Map<?, ?> tool)) {
                warnings.add("An entry in the list of tools was skipped: it is not a tool.");
                continue;
            }
            String name = tool.get("name") instanceof String text ? text : "";
            String label = "'" + SchemaTree.shortened(name, 60).replace('\n', ' ') + "'";
            if (!DiscoveredTool.isName(name)) {
                warnings.add("The tool " + label + " was skipped: its name is not a valid tool name.");
            } else if (!names.add(name)) {
                warnings.add("A second tool " + label + " was skipped.");
            } else if (tools.size() == ToolDiscovery.MAX_TOOLS) {
                warnings.add("The tool " + label + " was skipped: there are too many tools.");
            } else {
                DiscoveredTool found = found(name, tool, credentials);
                if (StrictJson.write(found.inputSchema()).length() > MAX_SCHEMA_LENGTH) {
                    warnings.add("The tool " + label + " was skipped: its schema is too large.");
                } else {
                    tools.add(found);
                }
            }
        }
        return new ToolDiscovery(tools, warnings);
    }

    private static DiscoveredTool found(String name, Map<?, ?> tool, ToolCredentials credentials) {
        Object schema = tool.get("inputSchema");
        Map<String, Object> input = new LinkedHashMap<>(SchemaTree.of(schema, schema));
        input.put("type", "object");
        Object output = tool.get("outputSchema");
        String title = tool.get("title") instanceof String text ? text : name;
        String description = tool.get("description") instanceof String text ? text : "";
        return new DiscoveredTool(
                name,
                SchemaTree.shortened(credentials.redact(title).replace('\n', ' '), MAX_TITLE_LENGTH),
                SchemaTree.shortened(credentials.redact(description), MAX_DESCRIPTION_LENGTH),
                input,
                output instanceof Map ? SchemaTree.of(output, output) : null,
                "{}");
    }
}
