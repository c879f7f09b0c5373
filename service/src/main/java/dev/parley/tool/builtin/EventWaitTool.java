package dev.parley.tool.builtin;

import dev.parley.tool.BuiltInToolId;
import dev.parley.tool.ToolOutcome;
import dev.parley.tool.ToolWait;
import dev.parley.tool.WaitingTool;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code event.wait}: lets a task wait for a request to its {@code resume_url}, whose members are its outputs. */
@Singleton
public final class EventWaitTool implements WaitingTool {
    private static final Duration DEFAULT_EXPIRY = Duration.ofDays(7);

    private final Clock clock;

    public EventWaitTool(Clock clock) {
        this.clock = clock;
    }

    @Override
    public BuiltInToolId tool() {
        return BuiltInToolId.EVENT_WAIT;
    }

    @Override
    public String description() {
        return "Waits for a POST of a JSON object to the task's resume_url; its members are the outputs. For App tasks"
                + " only.";
    }

    @Override
    public Map<String, Object> inputSchema() {
        Map<String, Object> expiry = Map.of(
                "type",
                "integer",
                "minimum",
                1,
                "maximum",
                TimeWaitTool.MAX_WAIT.toSeconds(),
                "description",
                "How long to wait, by default 7 days; then the task fails with the error Expired");
        return Map.of(
                "type", "object", "properties", Map.of("expires_in_seconds", expiry), "additionalProperties", false);
    }

    @Override
    public Map<String, Object> outputSchema() {
        return Map.of("type", "object");
    }

    @Override
    public ToolWait waitFor(Map<String, @Nullable Object> arguments) {
        Duration expiry = arguments.get("expires_in_seconds") instanceof Number seconds
                ? Duration.ofSeconds(seconds.longValue())
                : DEFAULT_EXPIRY;
        return new ToolWait(true, clock.instant().plus(expiry), new ToolOutcome("", null, List.of()));
    }
}
