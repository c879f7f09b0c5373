package dev.parley.tool;

import dev.parley.tool.source.ToolOutcome;
import java.time.Instant;

/**
 * What a call of a {@link WaitingTool} waits for.
 *
 * @param forEvent whether it waits for an event from outside, or else only for the time
 * @param until when the wait ends
 * @param outcome the result of a call that waits for the time
 */
public record ToolWait(boolean forEvent, Instant until, ToolOutcome outcome) {}
