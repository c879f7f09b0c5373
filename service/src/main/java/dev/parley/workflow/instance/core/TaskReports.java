package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports of executors and timers. A report about another than the current attempt changes nothing. */
final class TaskReports {
    private TaskReports() {}

    static TransitionResult apply(NextState next, InstanceEvent.TaskReport report) {
        if (!next.plan().has(report.task())) {
            return next.decide();
        }
        WorkItem item = next.withAttempt(next.plan().number(report.task()), report.attempt());
        if (item == null || next.state(item).status() != TaskStatus.RUNNING) {
            return next.decide();
        }
        TaskState state = next.state(item);
        switch (report) {
            case InstanceEvent.TaskSucceeded success
            when state.isExecuting() -> {
                next.set(item, state.withUsage(success.usage()));
                succeeded(next, item, success.outputs());
            }
            case InstanceEvent.TaskFailed failure
            when state.isExecuting() -> {
                next.set(item, state.withUsage(failure.usage()));
                TaskFailures.failed(next, item, failure.error(), failure.retryAfter());
            }
            case InstanceEvent.ApprovalRequested request
            when state.isExecuting() -> {
                next.set(item, state.withUsage(request.usage()));
                ToolApprovals.request(next, item, request.call());
            }
            case InstanceEvent.TaskSuspended waits when state.isExecuting() -> suspend(next, item, waits);
            case InstanceEvent.InputsFetched fetched
            when state.isExecuting() && awaitsInputs(next, item) ->
                TaskScheduler.proceed(next, item, new TaskInputs(fetched.inputs(), Map.of()));
            case InstanceEvent.RetryDue _
            when !state.isExecuting() && !next.pausedByRequest() -> TaskScheduler.begin(next, item);
            case InstanceEvent.TaskSucceeded _,
                    InstanceEvent.TaskFailed _,
                    InstanceEvent.ApprovalRequested _,
                    InstanceEvent.TaskSuspended _,
                    InstanceEvent.InputsFetched _,
                    InstanceEvent.RetryDue _ -> {
                return next.decide();
            }
        }
        TaskScheduler.settle(next);
        return next.decide();
    }

    private static void suspend(NextState next, WorkItem item, InstanceEvent.TaskSuspended waits) {
        Instant until = waits.until().truncatedTo(ChronoUnit.MILLIS);
        next.set(item, next.state(item).withUsage(waits.usage()).suspended(waits.reason(), waits.outputs(), until));
    }

    /** Ends the waits whose time is reached, also during a requested pause: no executor starts for them. */
    static TransitionResult endWaits(NextState next) {
        Instant wake = next.nextWake();
        if (wake == null || wake.isAfter(next.now())) {
            return next.decide();
        }
        for (int task = 0; task < next.plan().size(); task++) {
            for (WorkItem item : next.active(task)) {
                Instant until = next.state(item).waitUntil();
                if (until != null && !until.isAfter(next.now())) {
                    endWait(next, item);
                }
            }
        }
        TaskScheduler.settle(next);
        return next.decide();
    }

    private static void endWait(NextState next, WorkItem item) {
        TaskState state = next.state(item);
        switch (state.waitingFor()) {
            case TIMER -> succeeded(next, item, state.outputs());
            case SUB_WORKFLOW -> TaskScheduler.resumeExecutor(next, item);
            case null, default ->
                TaskFailures.failed(
                        next, item, new TaskError("Expired", "No event was received in time.", false), null);
        }
    }

    /** The executor continues also during a requested pause, because it started before it. */
    static TransitionResult continueAfter(NextState next, InstanceEvent.SubWorkflowEnded ended) {
        if (!next.plan().has(ended.task())) {
            return next.decide();
        }
        for (WorkItem item : next.active(next.plan().number(ended.task()))) {
            if (next.state(item).waitingFor() == WaitingReason.SUB_WORKFLOW
                    && next.isKeyOf(item, ended.idempotencyKey())) {
                TaskScheduler.resumeExecutor(next, item);
                TaskScheduler.settle(next);
            }
        }
        return next.decide();
    }

    private static boolean awaitsInputs(NextState next, WorkItem item) {
        Task task = next.plan().task(item.task());
        return task.kind().opensTicket() || (item.isTask() && task.controlFlow().forEach() != null);
    }

    /** Outputs that break the value rules are an error of the task, whichever executor produced them. */
    private static void succeeded(NextState next, WorkItem item, Map<String, @Nullable Object> given) {
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs =
                ValueRules.outputs(next.plan().task(item.task()).expectedOutput(), given, JsonPointer.ROOT, violations);
        if (violations.isEmpty()) {
            TaskScheduler.succeed(next, item, outputs);
        } else {
            Violation first = violations.getFirst();
            String detail = "Output '" + first.field() + "': " + first.detail();
            TaskFailures.failed(next, item, new TaskError("Invalid output", detail, false), null);
        }
    }
}
