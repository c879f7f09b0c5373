package dev.parley.tool.mcp;

import dev.parley.http.StrictJson;
import dev.parley.tool.Deadline;
import dev.parley.tool.DiscoveredTool;
import dev.parley.tool.ProviderAccess;
import dev.parley.tool.ProviderKind;
import dev.parley.tool.SchemaTree;
import dev.parley.tool.ToolCall;
import dev.parley.tool.ToolCredentials;
import dev.parley.tool.ToolDiscovery;
import dev.parley.tool.ToolFailure;
import dev.parley.tool.ToolOutcome;
import dev.parley.tool.ToolSource;
import io.modelcontextprotocol.spec.McpSchema;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Base64;
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
    private static final int EXCERPT = 300;

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
            throw reason(failed);
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
            throw reason(failed);
        }
    }

    private ToolOutcome call(McpSession session, ProviderAccess provider, String tool, ToolCall call)
            throws ToolFailure, InterruptedException, McpSession.SessionGoneException {
        McpSchema.CallToolResult result = session.call(tool, call.arguments(), call.idempotencyKey(), call.deadline());
        sessions.release(provider, session);
        return outcome(result, provider.credentials());
    }

    private static ToolOutcome outcome(McpSchema.CallToolResult result, ToolCredentials credentials)
            throws ToolFailure {
        var text = new StringBuilder();
        List<ToolOutcome.OutcomeFile> files = new ArrayList<>();
        List<McpSchema.Content> content = result.content() == null ? List.of() : result.content();
        for (McpSchema.Content part : content) {
            switch (part) {
                case McpSchema.TextContent one -> line(text, one.text());
                case McpSchema.ImageContent one -> file(files, one.mimeType(), one.data());
                case McpSchema.AudioContent one -> file(files, one.mimeType(), one.data());
                case McpSchema.ResourceLink one -> line(text, one.uri());
                case McpSchema.EmbeddedResource one -> {
                    switch (one.resource()) {
                        case McpSchema.TextResourceContents inner -> line(text, inner.text());
                        case McpSchema.BlobResourceContents inner -> file(files, inner.mimeType(), inner.blob());
                        case null, default -> {
                            // A resource type of a later protocol version.
                        }
                    }
                }
                case null, default -> {
                    // A content type of a later protocol version.
                }
            }
        }
        if (Boolean.TRUE.equals(result.isError())) {
            String reason =
                    SchemaTree.shortened(credentials.redact(text.toString()).replace('\n', ' '), EXCERPT);
            throw ToolFailure.permanent(
                    "Tool error", "The tool failed: " + (reason.isEmpty() ? "no reason given." : reason));
        }
        return new ToolOutcome(text.toString(), result.structuredContent(), files);
    }

    private static void line(StringBuilder text, @Nullable String more) {
        if (more != null) {
            text.append(text.isEmpty() ? "" : "\n").append(more);
        }
    }

    private static void file(List<ToolOutcome.OutcomeFile> files, @Nullable String type, @Nullable String base64)
            throws ToolFailure {
        try {
            files.add(new ToolOutcome.OutcomeFile(
                    type == null ? "application/octet-stream" : type,
                    Base64.getDecoder().decode(base64 == null ? "" : base64)));
        } catch (IllegalArgumentException _) {
            throw ToolFailure.permanent("Invalid answer", "The tool returned a file that is not Base64.");
        }
    }

    private static ToolDiscovery read(List<McpSchema.Tool> offered, ToolCredentials credentials) {
        List<DiscoveredTool> tools = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (McpSchema.Tool tool : offered) {
            String name = tool == null || tool.name() == null ? "" : tool.name();
            String label = "'" + SchemaTree.shortened(name, 60).replace('\n', ' ') + "'";
            if (!DiscoveredTool.isName(name)) {
                warnings.add("The tool " + label + " was skipped: its name is not a valid tool name.");
            } else if (!names.add(name)) {
                warnings.add("A second tool " + label + " was skipped.");
            } else if (tools.size() == ToolDiscovery.MAX_TOOLS) {
                warnings.add("The tool " + label + " was skipped: there are too many tools.");
            } else {
                DiscoveredTool found = found(tool, credentials);
                if (StrictJson.write(found.inputSchema()).length() > MAX_SCHEMA_LENGTH) {
                    warnings.add("The tool " + label + " was skipped: its schema is too large.");
                } else {
                    tools.add(found);
                }
            }
        }
        return new ToolDiscovery(tools, warnings);
    }

    private static DiscoveredTool found(McpSchema.Tool tool, ToolCredentials credentials) {
        Map<String, Object> input = new LinkedHashMap<>(SchemaTree.of(tool.inputSchema(), tool.inputSchema()));
        input.put("type", "object");
        String title = tool.title() == null ? tool.name() : tool.title();
        String description = tool.description() == null ? "" : tool.description();
        return new DiscoveredTool(
                tool.name(),
                SchemaTree.shortened(credentials.redact(title).replace('\n', ' '), MAX_TITLE_LENGTH),
                SchemaTree.shortened(credentials.redact(description), MAX_DESCRIPTION_LENGTH),
                input,
                tool.outputSchema() == null ? null : SchemaTree.of(tool.outputSchema(), tool.outputSchema()),
                "{}");
    }

    private static ToolFailure reason(McpSession.SessionGoneException failed) {
        return failed.getCause() instanceof ToolFailure reason
                ? reason
                : ToolFailure.transientFailure("Connection lost", "The MCP server ended the session.", null);
    }
}
