package dev.parley.tool.builtin;

import dev.parley.tool.ToolWait;
import dev.parley.tool.WaitingTool;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.ToolOutcome;
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
    public ToolWait waitFor(Map<String, @Nullable Object> arguments) {
        Duration expiry = arguments.get("expires_in_seconds") instanceof Number seconds
                ? Duration.ofSeconds(seconds.longValue())
                : DEFAULT_EXPIRY;
        return new ToolWait(true, clock.instant().plus(expiry), new ToolOutcome("", null, List.of()));
    }
}
