package dev.parley.workflow.instance.budget;

import dev.parley.budget.BudgetLimiter;
import dev.parley.budget.BudgetLimiter.ResumableTask;
import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.InstanceService;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Retries the tasks that a budget has stopped, by their Exception tickets, once it allows their next calls. */
@Singleton
final class BudgetResumeJob {
    private static final Logger LOG = Logger.getLogger(BudgetResumeJob.class);
    private static final String SYSTEM = "system";

    /** How long the ticket of a stopped task may be missing before it counts as answered. */
    private static final Duration MAX_TICKET_DELAY = Duration.ofMinutes(1);

    private final BudgetLimiter budgetLimiter;
    private final Engine engine;
    private final Clock clock;

    BudgetResumeJob(BudgetLimiter budgetLimiter, Engine engine, Clock clock) {
        this.budgetLimiter = budgetLimiter;
        this.engine = engine;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("resume tasks within budgets", Duration.ofSeconds(5), this::resume);
    }

    void resume() {
        budgetLimiter.resume(this::isResumed);
    }

    /** True if the task was retried, or waits no longer because its ticket or its instance has ended. */
    private boolean isResumed(ResumableTask task) {
        var retry = new InstanceEvent.ExceptionRetry(new TaskId(task.task()), task.attempt(), SYSTEM);
        boolean isOld = task.since().isBefore(clock.instant().minus(MAX_TICKET_DELAY));
        try {
            return !(InstanceService.join(engine.apply(task.organization(), task.instance(), retry, null))
                            instanceof Rejection)
                    || isOld;
        } catch (ApiProblem e) {
            return e.kind() == ProblemKind.NOT_FOUND && isOld;
        } catch (RuntimeException e) {
            LOG.warnf("A task of instance %s is resumed later: %s", task.instance(), e.getMessage());
            return false;
        }
    }
}
