package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.DefinitionLimits;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.Task;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs a task once for each item of an input, with bounded parallelism. */
final class TaskItems {
    private TaskItems() {}

    /** Starts a task that runs for each item, once all inputs are known. */
    static void expand(NextState draft, int task, @Nullable Object values) {
        List<?> items = values instanceof List<?> list ? list : List.of();
        if (items.size() > DefinitionLimits.ITEMS) {
            String detail = "A task runs for at most %,d items, and the input has %,d."
                    .formatted(DefinitionLimits.ITEMS, items.size());
            TaskScheduler.failAtStart(draft, WorkItem.ofTask(task), new TaskError("Too many items", detail, false));
        } else {
            draft.setItems(task, ItemStates.pending(items));
        }
    }

    /**
     * Starts items while there is room, and derives the state of each task whose items changed. Starting an item can
     * end it at once, for example because of an invalid input, so this continues until nothing changes.
     */
    static void advance(NextState draft) {
        for (List<Integer> changed = draft.pollChangedItems(); !changed.isEmpty(); changed = draft.pollChangedItems()) {
            changed.forEach(task -> advance(draft, task));
        }
    }

    private static void advance(NextState draft, int task) {
        if (draft.task(task).status().isTerminal()) {
            return;
        }
        ForEach forEach =
                Objects.requireNonNull(draft.plan().task(task).controlFlow().forEach());
        if (forEach.onError() == ItemErrorRule.FAIL && items(draft, task).failed() > 0) {
            fail(draft, task);
            return;
        }
        while (!draft.pausedByRequest()
                && items(draft, task).begun() < items(draft, task).size()
                && items(draft, task).active().size() < forEach.maxParallel()) {
            TaskScheduler.begin(draft, new WorkItem(task, items(draft, task).begun()));
        }
        if (items(draft, task).areDone()) {
            complete(draft, task);
        } else {
            follow(draft, task);
        }
    }

    private static ItemStates items(NextState draft, int task) {
        return Objects.requireNonNull(draft.items(task));
    }

    private static void complete(NextState draft, int task) {
        Task definition = draft.plan().task(task);
        List<String> names =
                definition.expectedOutput().stream().map(OutputParameter::name).toList();
        TaskScheduler.complete(draft, WorkItem.ofTask(task), items(draft, task).outputs(names));
    }

    /** The task waits when all of its active items do, and no other can start. */
    private static void follow(NextState draft, int task) {
        ItemStates items = items(draft, task);
        WaitingReason waitingFor = null;
        for (int index : items.active()) {
            TaskState item = items.get(index);
            if (item.status() == TaskStatus.RUNNING) {
                waitingFor = null;
                break;
            }
            // An item that waits for no person keeps the instance RUNNING.
            waitingFor = waitingFor == null || waitingFor.needsPerson() ? item.waitingFor() : waitingFor;
        }
        TaskState state = draft.task(task);
        if (waitingFor != null && state.waitingFor() != waitingFor) {
            draft.set(task, state.waitingFor(waitingFor, draft.now()));
        } else if (waitingFor == null && state.status() != TaskStatus.RUNNING) {
            draft.set(task, state.started(state.attempt(), draft.now()));
        }
    }

    /** The first item that failed fails the task; the others are stopped. */
    private static void fail(NextState draft, int task) {
        TaskScheduler.stop(draft, task, "system", "Another item of the task failed.");
        ItemStates items = items(draft, task);
        for (int index = 0; index < items.begun(); index++) {
            TaskError error = items.get(index).error();
            if (items.get(index).status() == TaskStatus.FAILED && error != null) {
                TaskError named = new TaskError(
                        error.error(), "Item " + (index + 1) + " of " + items.size() + ": " + error.detail(), false);
                draft.set(task, draft.task(task).failed(named, draft.now()));
                return;
            }
        }
    }
}
