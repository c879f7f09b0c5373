package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ChangeReply;
import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.ProblemMessage;
import dev.parley.engine.restate.EngineMessages.ShortTaskResult;
import dev.parley.engine.restate.EngineMessages.TaskMessage;
import dev.parley.engine.restate.ObjectState.PendingChange;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.Rejection;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.restate.common.Request;
import dev.restate.common.Target;
import dev.restate.sdk.ObjectContext;
import dev.restate.serde.Serde;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler of an instance. It applies an event, executes short tasks that follow from it one after another,
 * because a message costs more than they do, and stores the result; all other tasks and timers are messages, which are
 * sent at the end. Only the results of its steps decide what it does, so a repeated run does the same.
 */
final class HandlerRun {
    /** An event of a person waits in the queue of the object meanwhile. */
    private static final Duration MAX_EXECUTION = Duration.ofMillis(250);

    private static final int MAX_TASKS = 32;

    private record DelayedEvent(InstanceEvent event, Instant now, Instant due) {}

    private final ObjectContext ctx;
    private final InstanceKey key;
    private final TransitionRule rule;
    private final HandlerProjection projection;
    private final NodeTasks tasks;
    private final List<PendingChange> added = new ArrayList<>();
    private final Deque<Effect.StartTask> ready = new ArrayDeque<>();
    private final List<TaskMessage> messages = new ArrayList<>();
    private final List<DelayedEvent> delayed = new ArrayList<>();
    private ObjectState current;
    private boolean isChanged;

    /** The start, while PostgreSQL does not have it. */
    private @Nullable InstanceChange start;

    private @Nullable ProblemMessage problem;

    HandlerRun(
            ObjectContext ctx,
            TransitionRule rule,
            HandlerProjection projection,
            NodeTasks tasks,
            ObjectState current) {
        this.ctx = ctx;
        this.key = InstanceHeaders.instanceKey(ctx.key());
        this.rule = rule;
        this.projection = projection;
        this.tasks = tasks;
        this.current = current;
    }

    InstanceState state() {
        return current.instance().state();
    }

    boolean isSettled() {
        return isChanged && state().status() != InstanceStatus.RUNNING;
    }

    /**
     * Applies the first change and executes the short tasks that follow. PostgreSQL has all of it in the end, or nothing
     * if there is a problem: the first complete state that the object stores must be projected.
     */
    @Nullable
    ProblemMessage start(InstanceState fresh, Decision decision, InstanceChange change, Instant at) {
        isChanged = true;
        start = change;
        if (!HandlerProjection.mayFollow(change) && !project()) {
            return problem;
        }
        collect(fresh, decision, at);
        executeShortTasks();
        if (problem == null) {
            project();
        }
        return problem;
    }

    /** Projects what PostgreSQL does not have; returns false if there is a problem. */
    private boolean project() {
        boolean isProjected = project(current.unprojected());
        current = current.projected();
        return isProjected;
    }

    private boolean project(List<InstanceChange> changes) {
        List<InstanceChange> all = new ArrayList<>();
        if (start != null) {
            all.add(start);
        }
        all.addAll(changes);
        problem = all.isEmpty() ? null : projection.write(all);
        start = null;
        return problem == null;
    }

    private Task task(Effect.StartTask effect) {
        return state().plan().task(state().plan().number(effect.task()));
    }

    AppliedEvent apply(EventMessage message) {
        InstanceState before = state();
        TransitionResult result = rule.apply(before, message.event(), message.at());
        if (result instanceof Rejection rejection) {
            return new AppliedEvent.Refused(ChangeReply.rejected(rejection));
        }
        Decision decision = (Decision) result;
        if (decision.isChange()) {
            InstanceChange change = InstanceChange.of(
                    current.instance().header(), message.event(), decision, message.attempt(), message.companion());
            ObjectState after = current.with(change);
            PendingChange last = after.pending().getLast();
            if (after.isProjectionDue() || HandlerProjection.isDue(message.event(), before, change)) {
                if (!project(after.unprojected(change))) {
                    return new AppliedEvent.Refused(ChangeReply.failed(Objects.requireNonNull(problem)));
                }
                after = after.projected();
            }
            added.add(last);
            current = after;
            isChanged = true;
        } else {
            tasks.drop(ctx, message.attempt());
        }
        collect(before, decision, message.at());
        return new AppliedEvent.Decided(decision);
    }

    private void collect(InstanceState before, Decision decision, Instant at) {
        for (Effect effect : decision.effects()) {
            switch (effect) {
                case Effect.StartTask start -> ready.add(start);
                case Effect.FetchInputs fetch -> messages.add(new TaskMessage(key, state().version(), fetch, null));
                case Effect.ScheduleRetry retry ->
                    delayed.add(new DelayedEvent(
                            new InstanceEvent.RetryDue(retry.task(), retry.attempt()), at, retry.at()));
                case Effect.StopTask stop -> {
                    ready.removeIf(one -> one.task().equals(stop.task()) && one.attempt() == stop.attempt());
                    tasks.stop(key, stop.task(), stop.attempt());
                }
                case Effect.OpenTicket _,
                        Effect.CloseTicket _,
                        Effect.AskUser _,
                        Effect.StatusChanged _,
                        Effect.InstanceFinished _ -> {
                    // Stored by the projection.
                }
            }
        }
        Instant wake = state().nextWake();
        if (wake != null && !Objects.equals(wake, before.nextWake())) {
            delayed.add(new DelayedEvent(new InstanceEvent.WaitEnded(), at, wake));
        }
    }

    /** Executes tasks that have been short on this node, within limits; {@link #end} sends messages for the others. */
    void executeShortTasks() {
        Instant first = null;
        Supplier<List<TaskAttempt.AttemptKey>> begunBefore = tasks.begun(key);
        for (int executed = 0; executed < MAX_TASKS && !ready.isEmpty() && problem == null; executed++) {
            Effect.StartTask next = ready.removeFirst();
            boolean isOnly = ready.isEmpty();
            if (start != null && !HandlerProjection.isInternal(task(next)) && !project()) {
                return;
            }
            ShortTaskResult result = EngineMessages.read(
                    ShortTaskResult.class,
                    ctx.run(
                            "short task",
                            Serde.RAW,
                            () -> EngineMessages.write(
                                    ShortTaskResult.class,
                                    tasks.executeShort(key, current.instance(), next, isOnly, begunBefore))));
            EventMessage report = result.report();
            if (report == null) {
                messages.add(new TaskMessage(key, state().version(), next, result.holder()));
                continue;
            }
            var _ = apply(report);
            first = first == null ? report.at() : first;
            if (Duration.between(first, report.at()).compareTo(MAX_EXECUTION) > 0) {
                return;
            }
        }
    }

    /** Stores the instance, and sends what follows. */
    ObjectState end() {
        ObjectState stored = isChanged ? current.store(ctx, added) : current;
        for (Effect.StartTask next : ready) {
            messages.add(new TaskMessage(key, state().version(), next, null));
        }
        if (state().status().isTerminal()) {
            return stored;
        }
        for (TaskMessage message : messages) {
            var _ = ctx.send(Request.of(
                            Target.service(TaskService.NAME, TaskService.RUN),
                            EngineMessages.write(TaskMessage.class, message))
                    .build());
        }
        delayed.forEach(this::sendLater);
        return stored;
    }

    private void sendLater(DelayedEvent later) {
        Duration delay = Duration.between(later.now, later.due);
        var message = new EventMessage(later.event, later.due, null, null);
        var _ = ctx.send(
                InstanceObject.report(key, EngineMessages.write(EventMessage.class, message)),
                delay.isNegative() ? Duration.ZERO : delay);
    }
}
