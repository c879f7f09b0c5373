package dev.parley.engine.local;

import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.expression.core.EvaluationCost;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The computation of an instance's next state, as the watchdog sees it. */
final class WatchedTransition implements EvaluationCost.TurnListener {
    private record Run(Thread thread, long startedAt) {}

    private final OrganizationId organization;
    private volatile @Nullable Run run;
    private volatile boolean givenUp;

    WatchedTransition(OrganizationId organization) {
        this.organization = organization;
    }

    /** Runs a computation. One thread at a time. */
    <T> T watch(Supplier<T> computation) {
        goesOn();
        T result;
        try {
            result = ScopedValue.where(EvaluationCost.TURN_LISTENER, this)
                    .call(() -> EvaluationCost.inTurnsOf(organization, computation));
        } catch (RuntimeException e) {
            throw givenUp ? outdated() : e;
        } finally {
            waits();
        }
        if (givenUp) {
            throw outdated();
        }
        return result;
    }

    /** The time that a condition waits for its turn does not count. */
    @Override
    public void waits() {
        run = null;
    }

    @Override
    public void goesOn() {
        run = new Run(Thread.currentThread(), System.nanoTime());
    }

    private static ApiProblem outdated() {
        return ApiProblem.unavailable("The instance is loaded again.", Duration.ofSeconds(1));
    }

    /** The time since the computation in progress began; zero if there is none or it waits. */
    Duration elapsed() {
        Run current = run;
        return current == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - current.startedAt);
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** A result of the computation in progress is not used any more. */
    Optional<Thread> giveUp() {
        givenUp = true;
        return Optional.ofNullable(run).map(Run::thread);
    }
}
