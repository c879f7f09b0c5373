package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.Repeat;
import dev.parley.workflow.expression.core.CompiledExpression;
import dev.parley.workflow.expression.core.EvaluationResult;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.event.TicketForm;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.SkipReason;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStates;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
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
    static void startReady(NextState next) {
        for (int task = 0; task < next.plan().size(); task++) {
            if (next.task(task).status() == TaskStatus.PENDING && next.tasks().unmet(task) == 0) {
                begin(next, WorkItem.ofTask(task));
            }
        }
    }

    /** Starts a task or item, or holds it while the instance is paused by request. */
    static void beginOrHold(NextState next, WorkItem item) {
        if (next.pausedByRequest()) {
            next.set(item, next.state(item).held(next.now()));
        } else {
            begin(next, item);
        }
    }

    /**
     * Starts an executor, opens a Human task's ticket (after its inputs were fetched, if necessary), starts the items of
     * a task, or asks people for missing inputs. Before its first run, a task may be skipped instead.
     */
    static void begin(NextState next, WorkItem item) {
        boolean isFirst = item.isTask() && next.task(item.task()).run() == 0;
        if (isFirst && !admits(next, item.task())) {
            return;
        }
        switch (InputResolver.resolve(next, item)) {
            case InputResolver.Ready ready -> start(next, item, ready.inputs());
            case InputResolver.Missing inputs -> InputRequests.ask(next, item.task(), inputs.inputs());
            case InputResolver.Unresolvable impossible -> failAtStart(next, item, impossible.error());
        }
    }

    /**
     * Decides by its predecessors and its condition whether a task runs; if not, it is skipped or fails. A condition
     * that reads an input which people have not supplied yet is decided when they have.
     */
    private static boolean admits(NextState next, int task) {
        if (TaskConditions.isSkippedWithPredecessors(next, task)) {
            skip(next, task, SkipReason.PREDECESSOR);
            return false;
        }
        CompiledExpression condition = next.plan().condition(task);
        if (condition == null
                || TaskConditions.reads(condition, next.humanValues().missing(task))) {
            return true;
        }
        return switch (TaskConditions.evaluate(next, task, condition)) {
            case EvaluationResult.Condition result when result.holds() -> true;
            case EvaluationResult.Condition _ -> {
                skip(next, task, SkipReason.CONDITION);
                yield false;
            }
            case EvaluationResult.EvaluationError error -> {
                failAtStart(
                        next,
                        WorkItem.ofTask(task),
                        TaskConditions.error(next.plan().task(task), condition, error));
                yield false;
            }
        };
    }

    private static void skip(NextState next, int task, SkipReason reason) {
        Map<String, @Nullable Object> nulls = InstanceOutput.nulls(next.plan().task(task));
        next.set(task, next.task(task).skipped(reason, nulls, next.now()));
    }

    /** Fails an attempt that cannot run. Its number is its own, and so is that of its ticket. */
    static void failAtStart(NextState next, WorkItem item, TaskError error) {
        started(next, item);
        TaskFailures.failedForGood(next, item, error);
    }

    private static void started(NextState next, WorkItem item) {
        int attempt = next.nextAttempt(item);
        next.set(item, next.state(item).started(attempt, next.now()));
    }

    private static void start(NextState next, WorkItem item, TaskInputs inputs) {
        ForEach forEach = next.plan().task(item.task()).controlFlow().forEach();
        if (item.isTask() && forEach != null && !inputs.toFetch().containsKey(forEach.input())) {
            // The task itself has no attempt; its items have.
            next.set(item, next.state(item).started(next.state(item).attempt(), next.now()));
        } else {
            started(next, item);
        }
        proceed(next, item, inputs);
    }

    /** Performs what follows the start of an attempt, also after its inputs were fetched or its node was lost. */
    static void proceed(NextState next, WorkItem item, TaskInputs inputs) {
        Task definition = next.plan().task(item.task());
        ForEach forEach = item.isTask() ? definition.controlFlow().forEach() : null;
        boolean mustFetch = forEach != null
                ? inputs.toFetch().containsKey(forEach.input())
                : definition.kind().opensTicket() && !inputs.toFetch().isEmpty();
        if (mustFetch) {
            next.emit(new Effect.FetchInputs(definition.id(), next.state(item).attempt(), inputs));
        } else if (forEach != null) {
            TaskItems.expand(next, item.task(), inputs.values().get(forEach.input()));
        } else if (definition.kind().opensTicket()) {
            openTicket(next, item, inputs);
        } else {
            next.emit(new Effect.StartTask(
                    definition.id(), next.state(item).attempt(), item.itemIndex(), inputs, next.idempotencyKey(item)));
        }
    }

    private static void openTicket(NextState next, WorkItem item, TaskInputs inputs) {
        Task task = next.plan().task(item.task());
        TaskState waiting = next.state(item).waitingFor(WaitingReason.HUMAN_TICKET, next.now());
        next.set(item, waiting);
        Duration due = task.due();
        next.emit(new Effect.OpenTicket(
                task.id(),
                waiting.attempt(),
                item.itemIndex(),
                RuleType.HUMAN_FEEDBACK,
                next.plan().rules(RuleType.HUMAN_FEEDBACK),
                title(next, item, task),
                task.instructions(),
                new TicketForm(task.expectedOutput(), List.of()),
                inputs,
                null,
                due == null ? null : next.now().plus(due)));
    }

    /** The task's name, with the number of the item. */
    static String title(NextState next, WorkItem item, Task task) {
        ItemStates items = next.items(item.task());
        return items == null || item.isTask()
                ? task.name()
                : task.name() + " (" + (item.index() + 1) + " of " + items.size() + ")";
    }

    /** Continues the same attempt of a task that waited without an executor. */
    static void resumeExecutor(NextState next, WorkItem item) {
        next.set(item, next.state(item).started(next.state(item).attempt(), next.now()));
        startAgain(next, item);
    }

    /** Restarts the same attempt after the loss of its node. */
    static void startAgain(NextState next, WorkItem item) {
        switch (next.coercion().withoutLimit(() -> InputResolver.resolve(next, item))) {
            case InputResolver.Ready ready -> proceed(next, item, ready.inputs());
            case InputResolver.Missing inputs -> InputRequests.ask(next, item.task(), inputs.inputs());
            case InputResolver.Unresolvable impossible -> TaskFailures.failedForGood(next, item, impossible.error());
        }
    }

    /** Completes a task or item. Successors that become ready are started by {@link #settle}. */
    static void complete(NextState next, WorkItem item, Map<String, @Nullable Object> outputs) {
        next.set(item, next.state(item).completed(outputs, null, next.now()));
    }

    /** Completes a task or item with outputs, or starts its next iteration. */
    static void succeed(NextState next, WorkItem item, Map<String, @Nullable Object> outputs) {
        CompiledExpression end = next.plan().end(item.task());
        Repeat repeat = next.plan().task(item.task()).controlFlow().repeat();
        if (end == null || repeat == null) {
            complete(next, item, outputs);
            return;
        }
        switch (TaskConditions.evaluateEnd(next, end, outputs)) {
            case EvaluationResult.Condition result when result.holds() -> complete(next, item, outputs);
            case EvaluationResult.Condition _
            when next.state(item).iteration() + 1 < repeat.max() -> {
                next.set(item, next.state(item).repeated(outputs));
                beginOrHold(next, item);
            }
            case EvaluationResult.Condition _ -> {
                String detail = "The condition '" + end + "' did not hold after " + repeat.max() + " iterations.";
                TaskFailures.failedForGood(next, item, new TaskError("Iteration limit", detail, false));
            }
            case EvaluationResult.EvaluationError error ->
                TaskFailures.failedForGood(
                        next, item, TaskConditions.error(next.plan().task(item.task()), end, error));
        }
    }

    /** Resumes an instance that waited for a person before the person's answer is applied. */
    static void resumeForPerson(NextState next) {
        if (!next.pausedByRequest()) {
            next.become(InstanceStatus.RUNNING);
        }
    }

    /** Starts what became ready and sets the resulting status; the last step of every event. */
    static void settle(NextState next) {
        TaskItems.advance(next);
        if (next.pausedByRequest()) {
            next.tasks().ready().clear();
            return;
        }
        for (Integer ready = next.tasks().ready().poll();
                ready != null;
                ready = next.tasks().ready().poll()) {
            if (next.task(ready).status() == TaskStatus.PENDING) {
                begin(next, WorkItem.ofTask(ready));
                TaskItems.advance(next);
            }
        }
        TaskStates.Counts counts = next.tasks().counts();
        if (counts.failed() > 0) {
            end(next, InstanceStatus.FAILED, TaskFailures.firstError(next), "system");
        } else if (counts.completed() + counts.skipped() == next.plan().size()) {
            next.end(InstanceStatus.COMPLETED, null);
            next.output(InstanceOutput.of(next));
            next.emit(new Effect.InstanceFinished(InstanceStatus.COMPLETED));
        } else {
            boolean onlyPeople = counts.running() == 0 && counts.suspended() == 0;
            next.become(onlyPeople ? InstanceStatus.PAUSED : InstanceStatus.RUNNING);
        }
    }

    /** Ends the instance with unfinished tasks: stops them and closes their tickets. */
    static void end(NextState next, InstanceStatus end, @Nullable InstanceError error, String by) {
        next.end(end, error);
        for (int task = 0; task < next.plan().size(); task++) {
            if (!next.task(task).status().isTerminal()) {
                stop(next, task, by, "The instance is " + end + ".");
                next.set(task, next.task(task).ended(next.now()));
            }
        }
        next.emit(new Effect.InstanceFinished(end));
    }

    /** Stops the executors of a task and of its items, and closes their tickets. */
    static void stop(NextState next, int task, String by, String reason) {
        for (WorkItem item : next.active(task)) {
            TaskState state = next.state(item);
            if (state.isExecuting()) {
                next.emit(new Effect.StopTask(next.id(task), state.attempt()));
            }
            if (hasTicket(next, state)) {
                next.emit(
                        new Effect.CloseTicket(next.id(task), state.attempt(), TicketEnd.CANCELLED, by, null, reason));
            }
            if (!item.isTask()) {
                next.set(item, state.ended(next.now()));
            }
        }
    }

    /** Whether the task has an open ticket; questions in a conversation have none. */
    static boolean hasTicket(NextState next, TaskState state) {
        WaitingReason reason = state.waitingFor();
        return reason != null
                && reason.needsPerson()
                && (reason != WaitingReason.USER_INPUT || !next.hasConversation());
    }
}
