package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.ValueRules;
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
        int task = draft.plan().number(report.task());
        TaskState state = draft.task(task);
        if (state.status() != TaskStatus.RUNNING || state.attempt() != report.attempt()) {
            return draft.decide();
        }
        switch (report) {
            case InstanceEvent.TaskSucceeded success when state.isExecuting() -> succeeded(draft, task, success);
            case InstanceEvent.TaskFailed failure
            when state.isExecuting() -> {
                draft.set(task, state.withUsage(failure.usage()));
                TaskFailures.failed(draft, task, failure.error(), failure.retryAfter());
            }
            case InstanceEvent.InputsFetched fetched
            when state.isExecuting() && draft.plan().task(task).kind().opensTicket() ->
                TaskScheduler.openTicket(
                        draft, task, draft.plan().task(task), new TaskInputs(fetched.inputs(), Map.of()));
            case InstanceEvent.RetryDue _
            when !state.isExecuting() && !draft.pausedByRequest() -> TaskScheduler.begin(draft, task);
            case InstanceEvent.TaskSucceeded _,
                    InstanceEvent.TaskFailed _,
                    InstanceEvent.InputsFetched _,
                    InstanceEvent.RetryDue _ -> {
                return draft.decide();
            }
        }
        TaskScheduler.settle(draft);
        return draft.decide();
    }

    /** Outputs that break the value rules are an error of the task, whichever executor produced them. */
    private static void succeeded(NextState draft, int task, InstanceEvent.TaskSucceeded success) {
        draft.set(task, draft.task(task).withUsage(success.usage()));
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs = ValueRules.outputs(
                draft.plan().task(task).expectedOutput(), success.outputs(), JsonPointer.ROOT, violations);
        if (violations.isEmpty()) {
            TaskScheduler.complete(draft, task, outputs, null);
        } else {
            Violation first = violations.getFirst();
            String detail = "Output '" + first.field() + "': " + first.detail();
            TaskFailures.failed(draft, task, new TaskError("Invalid output", detail, false), null);
        }
    }
}
