package dev.parley.workflow.instance.run;

import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.store.SubWorkflowReader;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Passes the end of an instance on: to the task that started it, and to the sub-workflows that it started. What is lost
 * with a node is done later, by the checks of {@link SubWorkflowRunner} and by {@link #stopOrphans}.
 */
@Singleton
public final class SubWorkflowEnds {
    private static final Logger LOG = Logger.getLogger(SubWorkflowEnds.class);

    /** Bounds the time in which a task may still be about to wait when its sub-workflow has already ended. */
    private static final int REPORTS = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final SubWorkflowReader reader;
    private final DelayedActions delays;

    public SubWorkflowEnds(SubWorkflowReader reader, DelayedActions delays) {
        this.reader = reader;
        this.delays = delays;
    }

    /** Called for each instance that is no longer RUNNING; may be called again. */
    public void settled(Engine engine, StoredInstance instance) {
        InstanceStatus status = instance.state().status();
        if (!status.isTerminal()) {
            return;
        }
        InstanceHeader.ParentTask parent = instance.header().parent();
        if (parent != null) {
            report(engine, instance.header(), parent, 1);
        }
        if (status != InstanceStatus.COMPLETED && instance.mayHaveSubWorkflows()) {
            reader.unfinished(
                            instance.header().organization(), instance.header().id())
                    .forEach(child -> stop(engine, child, status));
        }
    }

    /** Stops unfinished sub-workflows of instances that have ended. */
    public void stopOrphans(Engine engine) {
        reader.orphans().forEach(child -> stop(engine, child, InstanceStatus.CANCELLED));
    }

    private void report(Engine engine, InstanceHeader child, InstanceHeader.ParentTask parent, int count) {
        var task = new TaskId(parent.task());
        var event = new InstanceEvent.SubWorkflowEnded(task, parent.key());
        var _ = engine.apply(child.organization(), parent.instance(), event, null)
                .thenAccept(result -> {
                    if (isTooEarly(result, task) && count < REPORTS) {
                        Duration pause = FIRST_PAUSE.multipliedBy(1L << count);
                        var _ = delays.after(pause, () -> report(engine, child, parent, count + 1));
                    }
                })
                .exceptionally(failure -> {
                    LOG.debugf("The end of %s is found later: %s", child.id(), failure.getMessage());
                    return null;
                });
    }

    /** Whether the task that waits for the sub-workflow may not have been stored as waiting yet. */
    private static boolean isTooEarly(TransitionResult result, TaskId task) {
        return result instanceof Decision decision
                && !decision.isChange()
                && !decision.state().status().isTerminal()
                && !decision.state().task(task).status().isTerminal();
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
