package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The change between two states of an instance: the unit that the log stores. Null or empty means unchanged; that is
 * unambiguous because output, error and end are set once and answers are only added.
 *
 * @param version of the state after the change
 * @param tasks the complete states of the tasks that changed
 * @param items the changes of the items of tasks
 * @param answers the answers that are new or changed
 * @param updatedAt of the state after the change
 */
public record InstanceDelta(
        int version,
        Map<TaskId, TaskState> tasks,
        Map<TaskId, ItemsDelta> items,
        @Nullable InstanceStatus status,
        @Nullable Boolean pausedByRequest,
        Map<String, @Nullable Object> answers,
        @Nullable Map<String, @Nullable Object> output,
        @Nullable InstanceError error,
        Instant updatedAt,
        @Nullable Instant finishedAt) {
    public InstanceDelta {
        tasks = Map.copyOf(tasks);
        items = Map.copyOf(items);
        answers = ImmutableMaps.copy(answers);
        output = output == null ? null : ImmutableMaps.copy(output);
    }

    /** The change from one state of an instance to a later one. */
    public static InstanceDelta between(InstanceState before, InstanceState after) {
        return of(before, after, after.tasks().changedSince(before.tasks()));
    }

    /** Same as {@link #between} when the changed tasks are known; the cost depends on the change alone. */
    public static InstanceDelta of(InstanceState before, InstanceState after, Map<TaskId, TaskState> changedTasks) {
        return new InstanceDelta(
                after.version(),
                changedTasks,
                after.tasks().changedItemsSince(before.tasks()),
                before.status() == after.status() ? null : after.status(),
                before.pausedByRequest() == after.pausedByRequest() ? null : after.pausedByRequest(),
                newAnswers(before.answers(), after.answers()),
                Objects.equals(before.output(), after.output()) ? null : after.output(),
                Objects.equals(before.error(), after.error()) ? null : after.error(),
                after.updatedAt(),
                Objects.equals(before.finishedAt(), after.finishedAt()) ? null : after.finishedAt());
    }

    /** An empty delta. */
    public static InstanceDelta none(InstanceState state) {
        return new InstanceDelta(
                state.version(), Map.of(), Map.of(), null, null, Map.of(), null, null, state.updatedAt(), null);
    }

    /** Whether nothing changed. */
    public boolean isEmpty() {
        return tasks.isEmpty()
                && items.isEmpty()
                && status == null
                && pausedByRequest == null
                && answers.isEmpty()
                && output == null
                && error == null
                && finishedAt == null;
    }

    /** The state after the change. */
    public InstanceState applyTo(InstanceState before) {
        Map<String, @Nullable Object> allAnswers = before.answers();
        if (!answers.isEmpty()) {
            allAnswers = new LinkedHashMap<>(before.answers());
            allAnswers.putAll(answers);
        }
        return new InstanceState(
                before.plan(),
                status == null ? before.status() : status,
                before.trigger(),
                before.tasks().with(tasks, items),
                allAnswers,
                pausedByRequest == null ? before.pausedByRequest() : pausedByRequest,
                output == null ? before.output() : output,
                error == null ? before.error() : error,
                version,
                before.createdAt(),
                updatedAt,
                finishedAt == null ? before.finishedAt() : finishedAt);
    }

    private static Map<String, @Nullable Object> newAnswers(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        if (before.equals(after)) {
            return Map.of();
        }
        Map<String, @Nullable Object> added = new LinkedHashMap<>();
        after.forEach((name, value) -> {
            if (!before.containsKey(name) || !Objects.equals(before.get(name), value)) {
                added.put(name, value);
            }
        });
        return added;
    }
}
