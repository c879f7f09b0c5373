package dev.parley.workflow.task.app;

import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.settings.Settings;
import dev.parley.tool.ToolService;
import dev.parley.tool.ToolWait;
import dev.parley.tool.catalog.Tool;
import dev.parley.tool.catalog.WorkflowProvider;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import dev.parley.workflow.definition.core.AppTask;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.task.SubWorkflows;
import dev.parley.workflow.task.TaskExecutor;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskOutcome;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.TaskWait;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs App tasks: the inputs are the tool's arguments by name, and its result the outputs. The tool gets the task's
 * idempotency key, so that a repeated run takes effect once if the tool supports keys. A workflow as the tool runs as an
 * instance of its own, and the task waits for its end without a thread.
 */
@Singleton
public final class AppExecutor implements TaskExecutor {
    /** Reserved for work after the tool's response. */
    private static final Duration RESERVED_TIME = Duration.ofMillis(500);

    private static final int MAX_RECORDED_LENGTH = 100_000;

    private final ToolService tools;
    private final SubWorkflows subWorkflows;
    private final Duration limit;

    public AppExecutor(ToolService tools, SubWorkflows subWorkflows, Settings.TaskLimits limits) {
        this.tools = tools;
        this.subWorkflows = subWorkflows;
        this.limit = limits.app();
    }

    @Override
    public TaskKind kind() {
        return TaskKind.APP;
    }

    @Override
    public Duration limit() {
        return limit;
    }

    @Override
    public TaskOutcome run(TaskRun run) throws TaskFailure, InterruptedException {
        AppTask task = (AppTask) run.task();
        Tool tool = tools.find(run.organization(), task.toolId())
                .filter(one ->
                        one.provider().equals(task.provider()) && one.toolName().equals(task.toolName()))
                .orElseThrow(() -> TaskFailure.permanent(
                        "Tool not available",
                        "There is no tool '%s' of the provider '%s' with the id %d in the organization."
                                .formatted(task.toolName(), task.provider(), task.toolId())));
        Map<String, @Nullable Object> arguments = ToolArguments.of(run.inputs(), tool, task.controlFlow());
        long begun = System.nanoTime();
        try {
            Optional<ToolWait> wait = tools.waitFor(run.organization(), task.toolId(), arguments);
            if (wait.isPresent()) {
                record(run, task, arguments, "Waits until " + wait.get().until() + ".", false, since(begun));
                return waiting(task, wait.get());
            }
            if (tool.provider().equals(WorkflowProvider.NAME)) {
                return runWorkflow(run, task, tool, arguments, begun);
            }
            ToolOutcome outcome = tools.call(
                    run.organization(),
                    task.toolId(),
                    arguments,
                    run.idempotencyKey(),
                    run.limit().minus(RESERVED_TIME));
            record(run, task, arguments, outcome.truncated(MAX_RECORDED_LENGTH), false, since(begun));
            return ToolOutputs.of(task.expectedOutput(), outcome);
        } catch (ToolFailure failed) {
            record(run, task, arguments, failed.title() + ": " + failed.detail(), true, since(begun));
            throw TaskFailure.of(failed);
        }
    }

    private static TaskWait waiting(AppTask task, ToolWait wait) throws TaskFailure {
        return wait.forEvent()
                ? new TaskWait(TaskWait.WaitKind.EVENT, wait.until(), Map.of())
                : new TaskWait(
                        TaskWait.WaitKind.TIME,
                        wait.until(),
                        ToolOutputs.of(task.expectedOutput(), wait.outcome()).outputs());
    }

    private TaskOutcome runWorkflow(
            TaskRun run, AppTask task, Tool tool, Map<String, @Nullable Object> arguments, long begun)
            throws TaskFailure, ToolFailure, InterruptedException {
        try {
            Optional<SubWorkflows.SubWorkflowRun> started = subWorkflows.find(run, run.idempotencyKey());
            if (started.isEmpty()) {
                // Only now: the workflow may be archived or changed while its instance runs.
                var _ = tools.checked(run.organization(), tool.toolId(), arguments);
                WorkflowId workflow = WorkflowId.parse(tool.toolName()).orElseThrow();
                started = Optional.of(subWorkflows.start(run, workflow, arguments, run.idempotencyKey()));
            }
            return switch (started.get()) {
                case SubWorkflows.Unfinished child ->
                    new TaskWait(TaskWait.WaitKind.SUB_WORKFLOW, child.checkAt(), Map.of());
                case SubWorkflows.Completed child -> {
                    var outcome = new ToolOutcome(StrictJson.write(child.output()), child.output(), List.of());
                    record(run, task, arguments, outcome.truncated(MAX_RECORDED_LENGTH), false, child.took());
                    yield ToolOutputs.of(task.expectedOutput(), outcome);
                }
            };
        } catch (TaskFailure failed) {
            record(run, task, arguments, failed.title() + ": " + failed.detail(), true, since(begun));
            throw failed;
        }
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static void record(
            TaskRun run,
            AppTask task,
            Map<String, @Nullable Object> arguments,
            String result,
            boolean failed,
            Duration took) {
        run.recording().called(task.toolName(), task.toolId(), arguments, result, failed, took);
    }
}
