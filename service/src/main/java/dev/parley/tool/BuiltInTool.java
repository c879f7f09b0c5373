package dev.parley.tool;

import dev.parley.id.OrganizationId;
import java.util.Map;

/** Port: a tool that every organization has. */
public interface BuiltInTool {
    BuiltInToolId tool();

    String description();

    Map<String, Object> inputSchema();

    Map<String, Object> outputSchema();

    ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure, InterruptedException;
}
