package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.expression.core.EvaluationCost;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.HumanValues;
import dev.parley.workflow.instance.core.plan.InputCoercion;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStates;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The next state under construction, with the effects so far. It lives within one call of {@link Transition}. */
final class NextState {
    private final InstanceState before;
    private final Instant now;
    private final TaskStates.Editor tasks;
    private final EvaluationCost evaluationCost = new EvaluationCost();
    private final InputCoercion coercion = new InputCoercion();
    private @Nullable HumanValues humanValues;
    private final List<Effect> effects = new ArrayList<>();
    private final Set<Integer> changedItems = new TreeSet<>();
    private InstanceStatus status;
    private boolean pausedByRequest;
    private Map<String, @Nullable Object> answers;
    private @Nullable Map<String, @Nullable Object> output;
    private @Nullable InstanceError error;
    private @Nullable Instant finishedAt;

    /** Time never runs backwards within an instance, even when nodes' clocks differ. */
    NextState(InstanceState before, Instant now) {
        this.before = before;
        Instant millis = now.truncatedTo(ChronoUnit.MILLIS);
        this.now = millis.isBefore(before.updatedAt()) ? before.updatedAt() : millis;
        this.tasks = new TaskStates.Editor(before.tasks());
        this.status = before.status();
        this.pausedByRequest = before.pausedByRequest();
        this.answers = before.answers();
        this.output = before.output();
        this.error = before.error();
        this.finishedAt = before.finishedAt();
    }

    ExecutionPlan plan() {
        return before.plan();
    }

    TriggerData trigger() {
        return before.trigger();
    }

    Instant now() {
        return now;
    }

    boolean isNew() {
        return before.version() == 0;
    }

    InstanceStatus status() {
        return status;
    }

    boolean pausedByRequest() {
        return pausedByRequest;
    }

    void pausedByRequest(boolean paused) {
        pausedByRequest = paused;
    }

    boolean hasConversation() {
        return before.trigger().conversationId() != null;
    }

    HumanValues humanValues() {
        HumanValues known = humanValues;
        if (known == null) {
            known = new HumanValues(plan(), trigger(), answers);
            humanValues = known;
        }
        return known;
    }

    InputCoercion coercion() {
        return coercion;
    }

    void answer(Map<String, @Nullable Object> values) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(answers);
        all.putAll(values);
        answers = all;
        humanValues = null;
    }

    TaskState task(int number) {
        return tasks.get(number);
    }

    TaskId id(int number) {
        return plan().task(number).id();
    }

    void set(int number, TaskState state) {
        tasks.set(number, state);
    }

    /** The items of a task; null if it does not run for each item, or has not started. */
    @Nullable
    ItemStates items(int number) {
        return tasks.items(number);
    }

    /** Replaces the items of a task; {@link TaskItems#advance} follows when the event is settled. */
    void setItems(int number, ItemStates items) {
        tasks.setItems(number, items);
        changedItems.add(number);
    }

    /** Lets items start that were held by a pause. */
    void reconsiderItems(int number) {
        if (items(number) != null) {
            changedItems.add(number);
        }
    }

    TaskState state(WorkItem item) {
        ItemStates items = item.isTask() ? null : items(item.task());
        return items == null ? task(item.task()) : items.get(item.index());
    }

    void set(WorkItem item, TaskState state) {
        ItemStates items = item.isTask() ? null : items(item.task());
        if (items == null) {
            set(item.task(), state);
        } else {
            setItems(item.task(), items.with(item.index(), state));
        }
    }

    /** The task, or its active item, that has this attempt; null if there is none. */
    @Nullable
    WorkItem withAttempt(int number, int attempt) {
        ItemStates items = items(number);
        if (items == null) {
            return task(number).attempt() == attempt ? WorkItem.ofTask(number) : null;
        }
        int index = items.withAttempt(attempt);
        return index < 0 ? null : new WorkItem(number, index);
    }

    /** The task itself, or its items that have started and not ended. */
    List<WorkItem> active(int number) {
        ItemStates items = items(number);
        return items == null
                ? List.of(WorkItem.ofTask(number))
                : items.active().stream()
                        .map(index -> new WorkItem(number, index))
                        .toList();
    }

    @Nullable
    Instant nextWake() {
        return before.nextWake();
    }

    /** The tasks whose items changed since the last call. */
    List<Integer> pollChangedItems() {
        if (changedItems.isEmpty()) {
            return List.of();
        }
        List<Integer> changed = List.copyOf(changedItems);
        changedItems.clear();
        return changed;
    }

    /** The number of the next attempt. It is unique among all items of a task. */
    int nextAttempt(WorkItem item) {
        if (!item.isTask()) {
            set(item.task(), task(item.task()).countingAttempt());
            return task(item.task()).attempt();
        }
        return task(item.task()).attempt() + 1;
    }

    /** The work that conditions may do until {@link #decide}. */
    EvaluationCost evaluationCost() {
        return evaluationCost;
    }

    TaskStates.Editor tasks() {
        return tasks;
    }

    void emit(Effect effect) {
        effects.add(effect);
    }

    /** The idempotency key of the current run. */
    String idempotencyKey(WorkItem item) {
        return keyPrefix(item) + state(item).run();
    }

    /** Whether a key is that of a run of the task or item, or of a call in one of its runs. */
    boolean isKeyOf(WorkItem item, String key) {
        return key.startsWith(keyPrefix(item));
    }

    private String keyPrefix(WorkItem item) {
        String index = item.isTask() ? "" : ":" + item.index();
        return trigger().instanceId() + ":" + id(item.task()) + index + ":";
    }

    /** One status step. Setting the current status again is not a step. */
    void become(InstanceStatus next) {
        if (next == status) {
            return;
        }
        if (!status.canBecome(next)) {
            throw new IllegalStateException("An instance that is " + status + " cannot become " + next + ".");
        }
        emit(new Effect.StatusChanged(status, next, now));
        status = next;
    }

    /** The last step of an instance. */
    void end(InstanceStatus end, @Nullable InstanceError why) {
        become(end);
        pausedByRequest = false;
        error = why;
        finishedAt = now;
    }

    void output(Map<String, @Nullable Object> values) {
        output = values;
    }

    Decision decide() {
        Map<TaskId, TaskState> changed = tasks.changed();
        boolean same = changed.isEmpty()
                && !tasks.hasChangedItems()
                && status == before.status()
                && pausedByRequest == before.pausedByRequest()
                && answers.equals(before.answers())
                && Objects.equals(finishedAt, before.finishedAt())
                && !isNew();
        // An invalid reply changes only the history, with which the question is stored again.
        if (same && !Decision.asks(effects)) {
            return new Decision(before, effects, InstanceDelta.none(before));
        }
        InstanceState after = new InstanceState(
                before.plan(),
                status,
                before.trigger(),
                tasks.done(),
                answers,
                pausedByRequest,
                output,
                error,
                before.version() + 1,
                before.createdAt(),
                now,
                finishedAt);
        return new Decision(after, effects, InstanceDelta.of(before, after, changed));
    }

    Rejection refuse(String detail) {
        return new Rejection(before.status(), detail);
    }
}
