package dev.parley.tool;

import dev.parley.id.OrganizationId;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;

/** Port: a tool that every organization has. */
public interface BuiltInTool {
    BuiltInToolId tool();

    ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure, InterruptedException;
}
