package dev.parley.engine.restate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.store.InstanceHeader;
import java.util.concurrent.TimeUnit;

/** How long the tasks of workflows take on this node, on average. */
final class TaskDurations {
    private static final int KEPT = 10_000;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Tasks that could be executed at the same time must be much shorter than a message. */
    private static final long VERY_SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A longer execution, such as one on a busy machine, counts as this long. */
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** The weight of an execution in the moving average is one in this number. */
    private static final int WEIGHT = 8;

    private record TaskOfWorkflow(WorkflowId workflow, int version, TaskId task) {
        static TaskOfWorkflow of(InstanceHeader header, TaskId task) {
            return new TaskOfWorkflow(header.workflow(), header.workflowVersion(), task);
        }
    }

    private final Cache<TaskOfWorkflow, Long> nanos =
            Caffeine.newBuilder().maximumSize(KEPT).build();

    /** Whether the task is short on average; a task that this node has not executed yet is not. */
    boolean isShort(InstanceHeader header, TaskId task, boolean isOnly) {
        Long known = nanos.getIfPresent(TaskOfWorkflow.of(header, task));
        return known != null && known <= (isOnly ? SHORT_NANOS : VERY_SHORT_NANOS);
    }

    /** Adds an execution to the moving average, in which a single long one does not count much. */
    void record(InstanceHeader header, TaskId task, long taken) {
        nanos.asMap()
                .merge(
                        TaskOfWorkflow.of(header, task),
                        Math.min(taken, MAX_NANOS),
                        (average, now) -> average + (now - average) / WEIGHT);
    }
}
