package dev.parley.tool;

import dev.parley.id.OrganizationId;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A built-in tool for App tasks only: its call lets the task wait without using a thread. */
public interface WaitingTool extends BuiltInTool {
    /**
     * @param arguments valid for the input schema
     * @throws ToolFailure for a time that is too far away
     */
    ToolWait waitFor(Map<String, @Nullable Object> arguments) throws ToolFailure;

    @Override
    default ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure {
        throw ToolFailure.permanent(
                "Not available", "The tool " + tool().catalogueEntry().toolName() + " works in App tasks only.");
    }
}
