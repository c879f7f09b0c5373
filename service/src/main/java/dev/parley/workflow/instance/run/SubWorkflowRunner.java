package dev.parley.workflow.instance.run;

import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.store.SubWorkflowStore;
import dev.parley.workflow.task.SubWorkflows;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskRun;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs workflows for tasks. A call finds the instance that it started by its idempotency key, so that a repeated call
 * starts no second one.
 */
@Singleton
public final class SubWorkflowRunner implements SubWorkflows {
    /** The maximum number of instances above a sub-workflow, which bounds recursion. */
    static final int MAX_DEPTH = 16;

    /** The end is reported to the task ({@link SubWorkflowEnds}); looking for it is only a precaution. */
    private static final Duration CHECK_AFTER = Duration.ofDays(1);

    private final Instance<InstanceService> instances;
    private final SubWorkflowStore store;
    private final Clock clock;

    /** @param instances resolved late, because executors are part of what runs instances */
    public SubWorkflowRunner(Instance<InstanceService> instances, SubWorkflowStore store, Clock clock) {
        this.instances = instances;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Optional<SubWorkflowRun> find(TaskRun parent, String idempotencyKey) throws TaskFailure {
        Optional<WorkflowInstanceId> started = store.find(parent.organization(), parent.instance(), idempotencyKey);
        return started.isEmpty()
                ? Optional.empty()
                : Optional.of(run(instances.get().find(parent.organization(), started.get())));
    }

    private SubWorkflowRun run(StoredInstance child) throws TaskFailure {
        InstanceState state = child.state();
        Instant now = clock.instant();
        if (!state.status().isTerminal()) {
            return new Unfinished(child.header().id(), now.plus(CHECK_AFTER));
        }
        Map<String, @Nullable Object> output = state.output();
        if (output == null) {
            throw TaskFailure.permanent("Sub-workflow failed", failure(child));
        }
        Duration took =
                Duration.between(child.header().createdAt(), state.finishedAt() == null ? now : state.finishedAt());
        return new Completed(child.header().id(), output, took);
    }

    @Override
    public SubWorkflowRun start(
            TaskRun parent, WorkflowId workflow, Map<String, @Nullable Object> inputs, String idempotencyKey)
            throws TaskFailure {
        InstanceService service = instances.get();
        InstanceHeader above =
                service.find(parent.organization(), parent.instance()).header();
        if (above.depth() >= MAX_DEPTH) {
            throw TaskFailure.permanent(
                    "Too many levels",
                    "A sub-workflow can have at most " + MAX_DEPTH
                            + " instances above it. Does a workflow call itself?");
        }
        var trigger = new InstanceService.Trigger(
                parent.organization(),
                workflow,
                null,
                above.teamId(),
                above.createdBy(),
                null,
                List.of(),
                inputs,
                above.apiKey());
        var link = new InstanceHeader.ParentTask(
                above.id(), parent.task().id().value(), idempotencyKey, above.depth() + 1);
        try {
            return run(InstanceService.join(service.start(trigger, link, above.testRun()))
                    .instance());
        } catch (ApiProblem problem) {
            if (problem.kind() == ProblemKind.TOO_MANY_REQUESTS) {
                // Waits without being counted, so that parents at the limit make room for their sub-workflows.
                return new Unfinished(
                        null,
                        clock.instant().plusMillis(ThreadLocalRandom.current().nextLong(1_000, 4_000)));
            }
            throw failure(problem);
        }
    }

    private static TaskFailure failure(ApiProblem problem) {
        boolean isTransient = problem.kind() == ProblemKind.UNAVAILABLE;
        return TaskFailure.of(
                isTransient ? "Sub-workflow not started yet" : "Sub-workflow not started",
                problem.detail(),
                isTransient,
                null,
                problem);
    }

    private static String failure(StoredInstance child) {
        InstanceError error = child.state().error();
        return "The instance " + child.header().id() + " of the workflow is "
                + child.state().status() + "."
                + (error == null ? "" : " " + error.error() + ": " + error.detail());
    }
}
