package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ProblemMessage;
import dev.parley.engine.restate.projection.InstanceProjection;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceChange;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Projects changes within a handler. It is not a step of the handler's journal, because a handler that is repeated may
 * repeat a projection, and after a problem it only replies.
 */
final class HandlerProjection {
    private static final Logger LOG = Logger.getLogger(HandlerProjection.class);

    private final InstanceProjection projection;

    HandlerProjection(InstanceProjection projection) {
        this.projection = projection;
    }

    /** Whether PostgreSQL must have a change at once. Progress of tasks waits for the next such change. */
    static boolean isDue(InstanceEvent event, InstanceState before, InstanceChange change) {
        boolean isStored = change.effects().stream().anyMatch(effect -> switch (effect) {
            case Effect.OpenTicket _,
                    Effect.CloseTicket _,
                    Effect.AskUser _,
                    Effect.StatusChanged _,
                    Effect.InstanceFinished _ -> true;
            case Effect.StartTask _, Effect.FetchInputs _, Effect.ScheduleRetry _, Effect.StopTask _ -> false;
        });
        return isStored
                || change.companion() != null
                || !(event instanceof InstanceEvent.TaskReport)
                || before.isUnderWay() != change.state().isUnderWay();
    }

    /**
     * Returns the problem of a start or of a change's companion; null if the changes are stored. Other failures are
     * retried.
     */
    @Nullable
    ProblemMessage write(List<InstanceChange> changes) {
        InstanceChange last = changes.getLast();
        try {
            projection.write(changes);
            return null;
        } catch (RuntimeException e) {
            boolean mayBeRefused = changes.getFirst().creates() || last.companion() != null;
            boolean isOutage = e instanceof ApiProblem outage && outage.kind() == ProblemKind.UNAVAILABLE;
            if (!mayBeRefused || isOutage) {
                throw e;
            }
            return ProblemMessage.of(refusal(last, e));
        }
    }

    /** Two executions of one task may start its sub-workflow at the same time; the second start fails here. */
    private static ApiProblem refusal(InstanceChange change, RuntimeException failure) {
        if (failure instanceof ApiProblem problem) {
            return problem;
        }
        LOG.errorf(
                failure,
                "A change of instance %s cannot be stored",
                change.header().id());
        return ApiProblem.of(ProblemKind.INTERNAL, "The change cannot be stored.");
    }
}
