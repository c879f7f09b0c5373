package dev.parley.workflow.task;

import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Port: runs published workflows for tasks, each as an instance of its own. */
public interface SubWorkflows {
    /** The instance that a call started. */
    sealed interface SubWorkflowRun permits Unfinished, Completed {}

    /**
     * @param instance null while the organization's limit of running instances does not allow it to start
     * @param checkAt when the task is executed again at the latest, to look for the end or to start the instance
     */
    record Unfinished(@Nullable WorkflowInstanceId instance, Instant checkAt) implements SubWorkflowRun {}

    /** @param output values by output name of the workflow */
    record Completed(WorkflowInstanceId instance, Map<String, @Nullable Object> output, Duration took)
            implements SubWorkflowRun {}

    /**
     * The instance that the same key started earlier; empty if it has started none.
     *
     * @throws TaskFailure if it ended without being COMPLETED
     */
    Optional<SubWorkflowRun> find(TaskRun parent, String idempotencyKey) throws TaskFailure;

    /**
     * Starts an instance of the published version.
     *
     * @param inputs by name of the workflow's {@code human_input} parameters
     * @param idempotencyKey the key of a run of the task, or of a call in one
     * @throws TaskFailure if none can be started, or if it ended without being COMPLETED
     */
    SubWorkflowRun start(
            TaskRun parent, WorkflowId workflow, Map<String, @Nullable Object> inputs, String idempotencyKey)
            throws TaskFailure, InterruptedException;
}
