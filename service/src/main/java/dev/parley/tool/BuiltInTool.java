package dev.parley.tool;

import dev.parley.id.OrganizationId;

/** Port: a tool that every organization has. */
public interface BuiltInTool {
    BuiltInToolId tool();

    ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure, InterruptedException;
}
