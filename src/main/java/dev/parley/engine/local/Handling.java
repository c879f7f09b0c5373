package dev.parley.engine.local;

import dev.parley.problem.ApiProblem;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The computation of an instance's next state, as the watchdog sees it. */
final class Handling {
    private record Run(Thread thread, long startedAt) {}

    private volatile @Nullable Run run;
    private volatile boolean givenUp;

    /** Runs a computation. One thread at a time. */
    <T> T watch(Supplier<T> computation) {
        run = new Run(Thread.currentThread(), System.nanoTime());
        T result;
        try {
            result = computation.get();
        } catch (RuntimeException e) {
            throw givenUp ? outdated() : e;
        } finally {
            run = null;
        }
        if (givenUp) {
            throw outdated();
        }
        return result;
    }

    private static ApiProblem outdated() {
        return ApiProblem.unavailable("The instance is loaded again.", Duration.ofSeconds(1));
    }

    /** The time since the computation in progress began; zero if there is none. */
    Duration elapsed() {
        Run current = run;
        return current == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - current.startedAt);
    }

    /** A result of the computation in progress is not used any more. */
    Optional<Thread> giveUp() {
        givenUp = true;
        return Optional.ofNullable(run).map(Run::thread);
    }
}
