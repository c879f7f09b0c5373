package dev.parley;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The service's clock in tests: the real or a fixed time plus an offset. Call {@link #reset} afterwards. */
@Alternative
@Priority(1)
@Singleton
public class TestClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;
    private volatile @Nullable Instant stopped;

    /** Lets only {@link #advance} change the time: for exact seconds on a busy machine. */
    public void stop() {
        // PostgreSQL would round it.
        stopped = Instant.now().truncatedTo(ChronoUnit.MICROS);
    }

    public void advance(Duration by) {
        ahead = ahead.plus(by);
    }

    public void reset() {
        ahead = Duration.ZERO;
        stopped = null;
    }

    @Override
    public Instant instant() {
        Instant still = stopped;
        return (still == null ? Instant.now() : still).plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
