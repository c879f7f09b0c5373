package dev.parley.workflow.instance.run;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.store.SubWorkflowStore;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Reports the end of an instance to the task that started it, and stops the sub-workflows that it started. The sweeps
 * repeat what was lost with a node.
 */
@Singleton
public final class SubWorkflowEnds {
    private static final Logger LOG = Logger.getLogger(SubWorkflowEnds.class);

    /** A task may still be about to wait when its sub-workflow has already ended; the sweep goes on. */
    private static final int REPORTS = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(25);
    private static final Duration SWEPT_AFTER = Duration.ofSeconds(3);

    private final SubWorkflowStore store;
    private final DelayedActions delays;
    private final Clock clock;

    public SubWorkflowEnds(SubWorkflowStore store, DelayedActions delays, Clock clock) {
        this.store = store;
        this.delays = delays;
        this.clock = clock;
    }

    /** Called for each instance that is no longer RUNNING; may be called again. */
    public void settled(Engine engine, StoredInstance instance) {
        InstanceHeader header = instance.header();
        InstanceStatus status = instance.state().status();
        if (!status.isTerminal()) {
            return;
        }
        InstanceHeader.ParentTask parent = header.parent();
        if (parent != null) {
            report(
                    engine,
                    new SubWorkflowStore.SubWorkflowEnd(
                            header.organization(), parent.instance(), parent.task(), parent.key()),
                    1);
        }
        if (status != InstanceStatus.COMPLETED && instance.mayHaveSubWorkflows()) {
            store.unfinished(header.organization(), header.id()).forEach(child -> stop(engine, child, status));
        }
    }

    /** Reports ends that their tasks do not know. */
    public void reportAgain(Engine engine) {
        store.unreported(clock.instant().minus(SWEPT_AFTER)).forEach(end -> report(engine, end, REPORTS));
    }

    /** Stops unfinished sub-workflows of instances that have ended. */
    public void stopOrphans(Engine engine) {
        store.orphans().forEach(child -> stop(engine, child, InstanceStatus.CANCELLED));
    }

    private void report(Engine engine, SubWorkflowStore.SubWorkflowEnd end, int count) {
        var event = new InstanceEvent.SubWorkflowEnded(new TaskId(end.task()), end.key());
        var _ = engine.apply(end.organization(), end.parent(), event, null)
                .thenAcceptAsync(
                        result -> {
                            if (!isTooEarly(result, end)) {
                                store.reported(end);
                            } else if (count < REPORTS) {
                                Duration pause = FIRST_PAUSE.multipliedBy(1L << count);
                                var _ = delays.after(pause, () -> report(engine, end, count + 1));
                            }
                        },
                        DelayedActions.VIRTUAL_THREADS)
                .exceptionally(failure -> {
                    LOG.debugf("The end of %s is reported later: %s", end.key(), failure.getMessage());
                    return null;
                });
    }

    /** Whether the task that waits for the sub-workflow may not have been stored as waiting yet. */
    private static boolean isTooEarly(TransitionResult result, SubWorkflowStore.SubWorkflowEnd end) {
        return result instanceof Decision decision
                && !decision.isChange()
                && Transition.isInProgress(decision.state(), new TaskId(end.task()), end.key());
    }

    private static void stop(Engine engine, InstanceKey child, InstanceStatus parentEnd) {
        InstanceEvent event = parentEnd == InstanceStatus.TERMINATED
                ? new InstanceEvent.Terminated("The instance that started it is TERMINATED.", "system")
                : new InstanceEvent.CancelRequested("system");
        var _ = engine.apply(child.organization(), child.id(), event, null).exceptionally(failure -> {
            LOG.debugf("The sub-workflow %s is stopped later: %s", child.id(), failure.getMessage());
            return null;
        });
    }
}
