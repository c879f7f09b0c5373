package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ChangeReply;
import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.ProblemMessage;
import dev.parley.engine.restate.EngineMessages.TaskMessage;
import dev.parley.engine.restate.ObjectState.PendingChange;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.restate.common.Request;
import dev.restate.common.Target;
import dev.restate.sdk.ObjectContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler of an instance: it applies an event, stores the result, and sends tasks and timers as messages
 * at the end.
 */
final class HandlerRun {
    private record DelayedEvent(InstanceEvent event, Instant now, Instant due) {}

    private final ObjectContext ctx;
    private final InstanceKey key;
    private final TransitionRule rule;
    private final HandlerProjection projection;
    private final NodeTasks tasks;
    private final List<PendingChange> added = new ArrayList<>();
    private final List<TaskMessage> messages = new ArrayList<>();
    private final List<DelayedEvent> delayed = new ArrayList<>();
    private ObjectState current;
    private boolean isChanged;

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

    /** Projects the first change, and collects what follows unless there is a problem. */
    @Nullable
    ProblemMessage start(InstanceState fresh, Decision decision, InstanceChange change, Instant at) {
        isChanged = true;
        ProblemMessage problem = projection.write(List.of(change));
        if (problem == null) {
            collect(fresh, decision, at);
        }
        return problem;
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
                ProblemMessage problem = projection.write(after.unprojected(change));
                if (problem != null) {
                    return new AppliedEvent.Refused(ChangeReply.failed(problem));
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
                case Effect.StartTask _, Effect.FetchInputs _ ->
                    messages.add(new TaskMessage(key, state().version(), effect));
                case Effect.ScheduleRetry retry ->
                    delayed.add(new DelayedEvent(
                            new InstanceEvent.RetryDue(retry.task(), retry.attempt()), at, retry.at()));
                case Effect.StopTask stop -> tasks.stop(key, stop.task(), stop.attempt());
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

    /** Stores the instance, and sends what follows. */
    ObjectState end() {
        ObjectState stored = isChanged ? current.store(ctx, added) : current;
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
