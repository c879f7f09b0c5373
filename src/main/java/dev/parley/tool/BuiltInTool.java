package dev.parley.tool;

import dev.parley.id.OrganizationId;
import java.util.Map;

/** One of the tools that every organization has: a port. */
public interface BuiltInTool {
    BuiltIn tool();

    String description();

    Map<String, Object> inputSchema();

    Map<String, Object> outputSchema();

    ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure, InterruptedException;
}
