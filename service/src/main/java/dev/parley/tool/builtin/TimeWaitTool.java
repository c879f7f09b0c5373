package dev.parley.tool.builtin;

import dev.parley.http.json.Rfc3339;
import dev.parley.tool.ToolWait;
import dev.parley.tool.WaitingTool;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code time.wait}: lets a task wait for a time, at most a year. */
@Singleton
public final class TimeWaitTool implements WaitingTool {
    static final Duration MAX_WAIT = Duration.ofDays(366);

    private static final double MILLIS = 1_000;

    private final Clock clock;

    public TimeWaitTool(Clock clock) {
        this.clock = clock;
    }

    @Override
    public BuiltInToolId tool() {
        return BuiltInToolId.TIME_WAIT;
    }

    @Override
    public ToolWait waitFor(Map<String, @Nullable Object> arguments) throws ToolFailure {
        Instant now = clock.instant();
        Instant until = arguments.get("seconds") instanceof Number seconds
                ? now.plusMillis(Math.round(seconds.doubleValue() * MILLIS))
                : Rfc3339.parse(String.valueOf(arguments.get("until")))
                        .orElseThrow(() ->
                                invalid("The argument 'until' must be a timestamp such as 2030-01-31T09:30:00Z."));
        if (until.isAfter(now.plus(MAX_WAIT))) {
            throw invalid("A task waits at most a year.");
        }
        String text = Rfc3339.text(until);
        return new ToolWait(
                false, until, new ToolOutcome("Waited until " + text + ".", Map.of("resumed_at", text), List.of()));
    }

    private static ToolFailure invalid(String detail) {
        return ToolFailure.permanent("Invalid arguments", detail);
    }
}
