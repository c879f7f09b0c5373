package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.ControlFlow.Repeat;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.expression.core.CompiledExpression;
import dev.parley.workflow.expression.core.EvaluationResult;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which task runs when, and the resulting status of the instance. */
final class TaskScheduler {
    private TaskScheduler() {}

    /**
     * Starts every ready task that has not started. Scans all tasks, so it is used only at the start and at the end of
     * a pause.
     */
    static void startReady(NextState draft) {
        for (int task = 0; task < draft.plan().size(); task++) {
            if (draft.task(task).status() == TaskStatus.PENDING && draft.tasks().unmet(task) == 0) {
                begin(draft, WorkItem.ofTask(task));
            }
        }
    }

    /** Starts a task or item, or holds it while the instance is paused by request. */
    static void go(NextState draft, WorkItem item) {
        if (draft.pausedByRequest()) {
            draft.set(item, draft.state(item).held(draft.now()));
        } else {
            begin(draft, item);
        }
    }

    /**
     * Starts an executor, opens a Human task's ticket (after its inputs were fetched, if necessary), starts the items of
     * a task, or asks people for missing inputs. Before its first run, a task may be skipped instead.
     */
    static void begin(NextState draft, WorkItem item) {
        boolean isFirst = item.isTask() && draft.task(item.task()).run() == 0;
        if (isFirst && !admits(draft, item.task())) {
            return;
        }
        switch (InputResolver.resolve(draft, item)) {
            case InputResolver.Ready ready -> start(draft, item, ready.inputs());
            case InputResolver.Missing inputs -> InputRequests.ask(draft, item.task(), inputs.inputs());
            case InputResolver.Unresolvable impossible -> failAtStart(draft, item, impossible.error());
        }
    }

    /**
     * Decides by its predecessors and its condition whether a task runs; if not, it is skipped or fails. A condition
     * that reads an input which people have not supplied yet is decided when they have.
     */
    private static boolean admits(NextState draft, int task) {
        if (TaskConditions.isSkippedWithPredecessors(draft, task)) {
            skip(draft, task, SkipReason.PREDECESSOR);
            return false;
        }
        CompiledExpression condition = draft.plan().condition(task);
        if (condition == null
                || TaskConditions.reads(condition, draft.humanValues().missing(task))) {
            return true;
        }
        return switch (TaskConditions.evaluate(draft, task, condition)) {
            case EvaluationResult.Condition result when result.holds() -> true;
            case EvaluationResult.Condition _ -> {
                skip(draft, task, SkipReason.CONDITION);
                yield false;
            }
            case EvaluationResult.EvaluationError error -> {
                failAtStart(draft, WorkItem.ofTask(task), TaskConditions.error(condition, error));
                yield false;
            }
        };
    }

    private static void skip(NextState draft, int task, SkipReason reason) {
        Map<String, @Nullable Object> nulls = InstanceOutput.nulls(draft.plan().task(task));
        draft.set(task, draft.task(task).skipped(reason, nulls, draft.now()));
    }

    /** Fails an attempt that cannot run. Its number is its own, and so is that of its ticket. */
    static void failAtStart(NextState draft, WorkItem item, TaskError error) {
        started(draft, item);
        TaskFailures.failedForGood(draft, item, error);
    }

    private static void started(NextState draft, WorkItem item) {
        int attempt = draft.nextAttempt(item);
        draft.set(item, draft.state(item).started(attempt, draft.now()));
    }

    private static void start(NextState draft, WorkItem item, TaskInputs inputs) {
        ForEach forEach = draft.plan().task(item.task()).controlFlow().forEach();
        if (item.isTask() && forEach != null && !inputs.toFetch().containsKey(forEach.input())) {
            // The task itself has no attempt; its items have.
            draft.set(item, draft.state(item).started(draft.state(item).attempt(), draft.now()));
        } else {
            started(draft, item);
        }
        proceed(draft, item, inputs);
    }

    /** Performs what follows the start of an attempt, also after its inputs were fetched or its node was lost. */
    static void proceed(NextState draft, WorkItem item, TaskInputs inputs) {
        Task definition = draft.plan().task(item.task());
        ForEach forEach = item.isTask() ? definition.controlFlow().forEach() : null;
        boolean mustFetch = forEach != null
                ? inputs.toFetch().containsKey(forEach.input())
                : definition.kind().opensTicket() && !inputs.toFetch().isEmpty();
        if (mustFetch) {
            draft.emit(new Effect.FetchInputs(definition.id(), draft.state(item).attempt(), inputs));
        } else if (forEach != null) {
            TaskItems.expand(draft, item.task(), inputs.values().get(forEach.input()));
        } else if (definition.kind().opensTicket()) {
            openTicket(draft, item, inputs);
        } else {
            draft.emit(new Effect.StartTask(
                    definition.id(),
                    draft.state(item).attempt(),
                    item.itemIndex(),
                    inputs,
                    draft.idempotencyKey(item)));
        }
    }

    private static void openTicket(NextState draft, WorkItem item, TaskInputs inputs) {
        Task task = draft.plan().task(item.task());
        TaskState waiting = draft.state(item).waitingFor(WaitingReason.HUMAN_TICKET, draft.now());
        draft.set(item, waiting);
        Duration due = task.due();
        draft.emit(new Effect.OpenTicket(
                task.id(),
                waiting.attempt(),
                item.itemIndex(),
                RuleType.HUMAN_FEEDBACK,
                draft.plan().rules(RuleType.HUMAN_FEEDBACK),
                title(draft, item, task),
                task.instructions(),
                new TicketForm(task.expectedOutput(), List.of()),
                inputs,
                null,
                due == null ? null : draft.now().plus(due)));
    }

    /** The task's name, with the number of the item. */
    static String title(NextState draft, WorkItem item, Task task) {
        ItemStates items = draft.items(item.task());
        return items == null || item.isTask()
                ? task.name()
                : task.name() + " (" + (item.index() + 1) + " of " + items.size() + ")";
    }

    /** Continues the same attempt of a task that waited without an executor. */
    static void resumeExecutor(NextState draft, WorkItem item) {
        draft.set(item, draft.state(item).started(draft.state(item).attempt(), draft.now()));
        startAgain(draft, item);
    }

    /** Restarts the same attempt after the loss of its node. */
    static void startAgain(NextState draft, WorkItem item) {
        if (InputResolver.resolve(draft, item) instanceof InputResolver.Ready ready) {
            proceed(draft, item, ready.inputs());
        }
    }

    /** Completes a task or item. Successors that become ready are started by {@link #settle}. */
    static void complete(NextState draft, WorkItem item, Map<String, @Nullable Object> outputs) {
        draft.set(item, draft.state(item).completed(outputs, null, draft.now()));
    }

    /** Completes a task or item with outputs, or starts its next iteration. */
    static void succeed(NextState draft, WorkItem item, Map<String, @Nullable Object> outputs) {
        CompiledExpression end = draft.plan().end(item.task());
        Repeat repeat = draft.plan().task(item.task()).controlFlow().repeat();
        if (end == null || repeat == null) {
            complete(draft, item, outputs);
            return;
        }
        switch (TaskConditions.evaluateEnd(end, outputs)) {
            case EvaluationResult.Condition result when result.holds() -> complete(draft, item, outputs);
            case EvaluationResult.Condition _
            when draft.state(item).iteration() + 1 < repeat.max() -> {
                draft.set(item, draft.state(item).repeated(outputs));
                go(draft, item);
            }
            case EvaluationResult.Condition _ -> {
                String detail = "The condition '" + end + "' did not hold after " + repeat.max() + " iterations.";
                TaskFailures.failedForGood(draft, item, new TaskError("Iteration limit", detail, false));
            }
            case EvaluationResult.EvaluationError error ->
                TaskFailures.failedForGood(draft, item, TaskConditions.error(end, error));
        }
    }

    /** Resumes an instance that waited for a person before the person's answer is applied. */
    static void resumeForPerson(NextState draft) {
        if (!draft.pausedByRequest()) {
            draft.become(InstanceStatus.RUNNING);
        }
    }

    /** Starts what became ready and sets the resulting status; the last step of every event. */
    static void settle(NextState draft) {
        TaskItems.advance(draft);
        if (draft.pausedByRequest()) {
            draft.tasks().ready().clear();
            return;
        }
        for (Integer ready = draft.tasks().ready().poll();
                ready != null;
                ready = draft.tasks().ready().poll()) {
            if (draft.task(ready).status() == TaskStatus.PENDING) {
                begin(draft, WorkItem.ofTask(ready));
                TaskItems.advance(draft);
            }
        }
        TaskStates.Counts counts = draft.tasks().counts();
        if (counts.failed() > 0) {
            end(draft, InstanceStatus.FAILED, TaskFailures.firstError(draft), "system");
        } else if (counts.completed() + counts.skipped() == draft.plan().size()) {
            draft.end(InstanceStatus.COMPLETED, null);
            draft.output(InstanceOutput.of(draft));
            draft.emit(new Effect.InstanceFinished(InstanceStatus.COMPLETED));
        } else {
            boolean onlyPeople = counts.running() == 0 && counts.suspended() == 0;
            draft.become(onlyPeople ? InstanceStatus.PAUSED : InstanceStatus.RUNNING);
        }
    }

    /** Ends the instance with unfinished tasks: stops them and closes their tickets. */
    static void end(NextState draft, InstanceStatus end, @Nullable InstanceError error, String by) {
        draft.end(end, error);
        for (int task = 0; task < draft.plan().size(); task++) {
            if (!draft.task(task).status().isTerminal()) {
                stop(draft, task, by, "The instance is " + end + ".");
                draft.set(task, draft.task(task).ended(draft.now()));
            }
        }
        draft.emit(new Effect.InstanceFinished(end));
    }

    /** Stops the executors of a task and of its items, and closes their tickets. */
    static void stop(NextState draft, int task, String by, String reason) {
        for (WorkItem item : draft.active(task)) {
            TaskState state = draft.state(item);
            if (state.isExecuting()) {
                draft.emit(new Effect.StopTask(draft.id(task), state.attempt()));
            }
            if (hasTicket(draft, state)) {
                draft.emit(
                        new Effect.CloseTicket(draft.id(task), state.attempt(), TicketEnd.CANCELLED, by, null, reason));
            }
            if (!item.isTask()) {
                draft.set(item, state.ended(draft.now()));
            }
        }
    }

    /** Whether the task has an open ticket; questions in a conversation have none. */
    static boolean hasTicket(NextState draft, TaskState state) {
        WaitingReason reason = state.waitingFor();
        return reason != null
                && reason.needsPerson()
                && (reason != WaitingReason.USER_INPUT || !draft.hasConversation());
    }
}
