package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs a task once for each item of an input, with bounded parallelism. */
final class TaskItems {
    private TaskItems() {}

    /** Starts a task that runs for each item, once all inputs are known. */
    static void expand(NextState next, int task, @Nullable Object values) {
        List<?> items = values instanceof List<?> list ? list : List.of();
        if (items.size() > DefinitionLimits.ITEMS) {
            String detail = "A task runs for at most %,d items, and the input has %,d."
                    .formatted(DefinitionLimits.ITEMS, items.size());
            TaskScheduler.failAtStart(next, WorkItem.ofTask(task), new TaskError("Too many items", detail, false));
        } else {
            next.setItems(task, ItemStates.pending(items));
        }
    }

    /**
     * Starts items while there is room, and derives the state of each task whose items changed. Starting an item can
     * end it at once, for example because of an invalid input, so this continues until nothing changes.
     */
    static void advance(NextState next) {
        for (List<Integer> changed = next.pollChangedItems(); !changed.isEmpty(); changed = next.pollChangedItems()) {
            changed.forEach(task -> advance(next, task));
        }
    }

    private static void advance(NextState next, int task) {
        if (next.task(task).status().isTerminal()) {
            return;
        }
        ForEach forEach =
                Objects.requireNonNull(next.plan().task(task).controlFlow().forEach());
        if (forEach.onError() == ItemErrorRule.FAIL && items(next, task).failed() > 0) {
            fail(next, task);
            return;
        }
        while (!next.pausedByRequest()
                && items(next, task).begun() < items(next, task).size()
                && items(next, task).active().size() < forEach.maxParallel()) {
            TaskScheduler.begin(next, new WorkItem(task, items(next, task).begun()));
        }
        if (items(next, task).areDone()) {
            complete(next, task);
        } else {
            follow(next, task);
        }
    }

    private static ItemStates items(NextState next, int task) {
        return Objects.requireNonNull(next.items(task));
    }

    private static void complete(NextState next, int task) {
        Task definition = next.plan().task(task);
        List<String> names =
                definition.expectedOutput().stream().map(OutputParameter::name).toList();
        TaskScheduler.complete(next, WorkItem.ofTask(task), items(next, task).outputs(names));
    }

    /** The task waits when all of its active items do, and no other can start. */
    private static void follow(NextState next, int task) {
        ItemStates items = items(next, task);
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
        TaskState state = next.task(task);
        if (waitingFor != null && state.waitingFor() != waitingFor) {
            next.set(task, state.waitingFor(waitingFor, next.now()));
        } else if (waitingFor == null && state.status() != TaskStatus.RUNNING) {
            next.set(task, state.started(state.attempt(), next.now()));
        }
    }

    /** The first item that failed fails the task; the others are stopped. */
    private static void fail(NextState next, int task) {
        TaskScheduler.stop(next, task, "system", "Another item of the task failed.");
        ItemStates items = items(next, task);
        for (int index = 0; index < items.begun(); index++) {
            TaskError error = items.get(index).error();
            if (items.get(index).status() == TaskStatus.FAILED && error != null) {
                TaskError named = new TaskError(
                        error.error(), "Item " + (index + 1) + " of " + items.size() + ": " + error.detail(), false);
                next.set(task, next.task(task).failed(named, next.now()));
                return;
            }
        }
    }
}
