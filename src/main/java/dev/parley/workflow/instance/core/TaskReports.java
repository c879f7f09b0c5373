package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.ValueRules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports of executors and timers. A report about another than the current attempt changes nothing. */
final class TaskReports {
    private TaskReports() {}

    static TransitionResult apply(NextState draft, InstanceEvent.TaskReport report) {
        if (!draft.plan().has(report.task())) {
            return draft.decide();
        }
        WorkItem item = draft.withAttempt(draft.plan().number(report.task()), report.attempt());
        if (item == null || draft.state(item).status() != TaskStatus.RUNNING) {
            return draft.decide();
        }
        TaskState state = draft.state(item);
        switch (report) {
            case InstanceEvent.TaskSucceeded success
            when state.isExecuting() -> {
                draft.set(item, state.withUsage(success.usage()));
                succeeded(draft, item, success.outputs());
            }
            case InstanceEvent.TaskFailed failure
            when state.isExecuting() -> {
                draft.set(item, state.withUsage(failure.usage()));
                TaskFailures.failed(draft, item, failure.error(), failure.retryAfter());
            }
            case InstanceEvent.ApprovalRequested request
            when state.isExecuting() -> {
                draft.set(item, state.withUsage(request.usage()));
                ToolApprovals.request(draft, item, request.call());
            }
            case InstanceEvent.TaskSuspended waits when state.isExecuting() -> suspend(draft, item, waits);
            case InstanceEvent.InputsFetched fetched
            when state.isExecuting() && awaitsInputs(draft, item) ->
                TaskScheduler.proceed(draft, item, new TaskInputs(fetched.inputs(), Map.of()));
            case InstanceEvent.RetryDue _
            when !state.isExecuting() && !draft.pausedByRequest() -> TaskScheduler.begin(draft, item);
            case InstanceEvent.TaskSucceeded _,
                    InstanceEvent.TaskFailed _,
                    InstanceEvent.ApprovalRequested _,
                    InstanceEvent.TaskSuspended _,
                    InstanceEvent.InputsFetched _,
                    InstanceEvent.RetryDue _ -> {
                return draft.decide();
            }
        }
        TaskScheduler.settle(draft);
        return draft.decide();
    }

    private static void suspend(NextState draft, WorkItem item, InstanceEvent.TaskSuspended waits) {
        Instant until = waits.until().truncatedTo(ChronoUnit.MILLIS);
        draft.set(item, draft.state(item).withUsage(waits.usage()).suspended(waits.reason(), waits.outputs(), until));
    }

    /** Ends the waits whose time has come, also during a requested pause: no executor starts for them. */
    static TransitionResult endWaits(NextState draft) {
        Instant next = draft.nextWake();
        if (next == null || next.isAfter(draft.now())) {
            return draft.decide();
        }
        for (int task = 0; task < draft.plan().size(); task++) {
            for (WorkItem item : draft.active(task)) {
                Instant until = draft.state(item).waitUntil();
                if (until != null && !until.isAfter(draft.now())) {
                    endWait(draft, item);
                }
            }
        }
        TaskScheduler.settle(draft);
        return draft.decide();
    }

    private static void endWait(NextState draft, WorkItem item) {
        TaskState state = draft.state(item);
        switch (state.waitingFor()) {
            case TIMER -> succeeded(draft, item, state.outputs());
            case SUB_WORKFLOW -> TaskScheduler.resumeExecutor(draft, item);
            case null, default ->
                TaskFailures.failed(
                        draft, item, new TaskError("Expired", "No event was received in time.", false), null);
        }
    }

    /** The executor continues also during a requested pause, because it started before it. */
    static TransitionResult continueAfter(NextState draft, InstanceEvent.SubWorkflowEnded ended) {
        if (!draft.plan().has(ended.task())) {
            return draft.decide();
        }
        for (WorkItem item : draft.active(draft.plan().number(ended.task()))) {
            if (draft.state(item).waitingFor() == WaitingReason.SUB_WORKFLOW
                    && draft.isKeyOf(item, ended.idempotencyKey())) {
                TaskScheduler.resumeExecutor(draft, item);
                TaskScheduler.settle(draft);
            }
        }
        return draft.decide();
    }

    private static boolean awaitsInputs(NextState draft, WorkItem item) {
        Task task = draft.plan().task(item.task());
        return task.kind().opensTicket() || (item.isTask() && task.controlFlow().forEach() != null);
    }

    /** Outputs that break the value rules are an error of the task, whichever executor produced them. */
    private static void succeeded(NextState draft, WorkItem item, Map<String, @Nullable Object> given) {
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs = ValueRules.outputs(
                draft.plan().task(item.task()).expectedOutput(), given, JsonPointer.ROOT, violations);
        if (violations.isEmpty()) {
            TaskScheduler.succeed(draft, item, outputs);
        } else {
            Violation first = violations.getFirst();
            String detail = "Output '" + first.field() + "': " + first.detail();
            TaskFailures.failed(draft, item, new TaskError("Invalid output", detail, false), null);
        }
    }
}
