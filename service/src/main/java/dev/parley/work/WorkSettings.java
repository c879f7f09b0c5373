package dev.parley.work;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * How one kind of work runs.
 *
 * @param name of its threads and metrics, for example {@code message}
 * @param sweepEvery the interval of sweeps, which find keys whose wake-up was lost
 * @param releaseAfter the idle time after which a key is released; empty if its workers release it themselves
 * @param mayRun asked before each run; false delays it, for example under overload
 */
public record WorkSettings(
        String name, WorkLimits limits, Duration sweepEvery, Optional<Duration> releaseAfter, BooleanSupplier mayRun) {}
