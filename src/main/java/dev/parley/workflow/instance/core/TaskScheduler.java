package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.Task;
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
                begin(draft, task);
            }
        }
    }

    /** Starts a task, or holds it while the instance is paused by request. */
    static void go(NextState draft, int task) {
        if (draft.pausedByRequest()) {
            draft.set(task, draft.task(task).held(draft.now()));
        } else {
            begin(draft, task);
        }
    }

    /**
     * Starts an executor, opens a Human task's ticket (after its inputs were fetched, if necessary), or asks people for
     * missing inputs.
     */
    static void begin(NextState draft, int task) {
        switch (InputResolver.resolve(draft, task)) {
            case InputResolver.Ready ready -> start(draft, task, ready.inputs());
            case InputResolver.Missing missing -> InputRequests.ask(draft, task, missing.inputs());
            case InputResolver.Unresolvable impossible -> {
                draft.set(task, draft.task(task).started(draft.now()));
                TaskFailures.failedForGood(draft, task, impossible.error());
            }
        }
    }

    private static void start(NextState draft, int task, TaskInputs inputs) {
        draft.set(task, draft.task(task).started(draft.now()));
        Task definition = draft.plan().task(task);
        if (definition.kind().opensTicket() && inputs.toFetch().isEmpty()) {
            openTicket(draft, task, definition, inputs);
        } else {
            emitStart(draft, task, inputs);
        }
    }

    static void openTicket(NextState draft, int task, Task definition, TaskInputs inputs) {
        TaskState waiting = draft.task(task).waitingFor(WaitingReason.HUMAN_TICKET, draft.now());
        draft.set(task, waiting);
        draft.emit(humanTicket(draft, definition, waiting.attempt(), inputs));
    }

    /** Restarts the same attempt after the loss of its node. */
    static void startAgain(NextState draft, int task) {
        if (InputResolver.resolve(draft, task) instanceof InputResolver.Ready ready) {
            emitStart(draft, task, ready.inputs());
        }
    }

    private static void emitStart(NextState draft, int task, TaskInputs inputs) {
        draft.emit(
                new Effect.StartTask(draft.id(task), draft.task(task).attempt(), inputs, draft.idempotencyKey(task)));
    }

    private static Effect.OpenTicket humanTicket(NextState draft, Task task, int attempt, TaskInputs inputs) {
        Duration due = task.due();
        return new Effect.OpenTicket(
                task.id(),
                attempt,
                RuleType.HUMAN_FEEDBACK,
                draft.plan().rules(RuleType.HUMAN_FEEDBACK),
                task.name(),
                task.instructions(),
                new TicketForm(task.expectedOutput(), List.of()),
                inputs,
                null,
                due == null ? null : draft.now().plus(due));
    }

    /** Completes a task. Successors that become ready are started by {@link #settle}. */
    static void complete(
            NextState draft, int task, Map<String, @Nullable Object> outputs, @Nullable TaskError ignored) {
        draft.set(task, draft.task(task).completed(outputs, ignored, draft.now()));
    }

    /** Resumes an instance that waited for a person before the person's answer is applied. */
    static void resumeForPerson(NextState draft) {
        if (!draft.pausedByRequest()) {
            draft.become(InstanceStatus.RUNNING);
        }
    }

    /** Starts the tasks that became ready and sets the resulting status; the last step of every event. */
    static void settle(NextState draft) {
        if (draft.pausedByRequest()) {
            draft.tasks().ready().clear();
            return;
        }
        for (Integer ready = draft.tasks().ready().poll();
                ready != null;
                ready = draft.tasks().ready().poll()) {
            if (draft.task(ready).status() == TaskStatus.PENDING) {
                begin(draft, ready);
            }
        }
        TaskStates.Counts counts = draft.tasks().counts();
        if (counts.failed() > 0) {
            end(draft, InstanceStatus.FAILED, TaskFailures.firstError(draft), "system");
        } else if (counts.completed() == draft.plan().size()) {
            draft.end(InstanceStatus.COMPLETED, null);
            draft.output(InstanceOutput.of(draft));
            draft.emit(new Effect.InstanceFinished(InstanceStatus.COMPLETED));
        } else {
            draft.become(counts.running() == 0 ? InstanceStatus.PAUSED : InstanceStatus.RUNNING);
        }
    }

    /** Ends the instance with unfinished tasks: stops them and closes their tickets. */
    static void end(NextState draft, InstanceStatus end, @Nullable InstanceError error, String by) {
        draft.end(end, error);
        for (int task = 0; task < draft.plan().size(); task++) {
            TaskState state = draft.task(task);
            if (state.status().isTerminal()) {
                continue;
            }
            if (state.isExecuting()) {
                draft.emit(new Effect.StopTask(draft.id(task), state.attempt()));
            }
            if (hasTicket(draft, state)) {
                draft.emit(new Effect.CloseTicket(
                        draft.id(task),
                        state.attempt(),
                        TicketEnd.CANCELLED,
                        by,
                        null,
                        "The instance is " + end + "."));
            }
            draft.set(task, state.ended(draft.now()));
        }
        draft.emit(new Effect.InstanceFinished(end));
    }

    /** Whether the task has an open ticket; questions in a conversation have none. */
    static boolean hasTicket(NextState draft, TaskState state) {
        WaitingReason reason = state.waitingFor();
        return reason != null && (reason != WaitingReason.USER_INPUT || !draft.hasConversation());
    }
}
