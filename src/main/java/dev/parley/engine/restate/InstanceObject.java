package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ChangeReply;
import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.FindMessage;
import dev.parley.engine.restate.EngineMessages.FoundState;
import dev.parley.engine.restate.EngineMessages.ProblemMessage;
import dev.parley.engine.restate.EngineMessages.StartMessage;
import dev.parley.engine.restate.EngineMessages.TaskMessage;
import dev.parley.engine.restate.ObjectState.PendingChange;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceDelta;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.Rejection;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.restate.common.Request;
import dev.restate.common.Target;
import dev.restate.sdk.ObjectContext;
import dev.restate.sdk.SharedObjectContext;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.serde.Serde;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The virtual object of an instance: one handler at a time applies an event, stores the change, projects it where
 * PostgreSQL must have it, and sends the tasks and timers. Handlers read no clock, because a repeated one must do the
 * same.
 */
final class InstanceObject {
    private static final Logger LOG = Logger.getLogger(InstanceObject.class);

    static final String NAME = "ParleyInstance";
    static final String START = "start";
    static final String APPLY = "apply";
    static final String FIND = "find";
    private static final String REPORT = "report";
    private static final long IDLE_POLL_NANOS = 5_000_000;

    private final RestateServices services;
    private final InstanceHeaders headers;
    private final InstanceStates states;
    private final NodeTasks tasks;
    private final SettledInstances settled;
    private final TransitionRule rule;
    private final AtomicInteger active = new AtomicInteger();

    InstanceObject(
            RestateServices services,
            InstanceHeaders headers,
            InstanceStates states,
            NodeTasks tasks,
            SettledInstances settled,
            TransitionRule rule) {
        this.services = services;
        this.headers = headers;
        this.states = states;
        this.tasks = tasks;
        this.settled = settled;
        this.rule = rule;
    }

    ServiceDefinition definition() {
        return ServiceDefinition.of(
                NAME,
                ServiceType.VIRTUAL_OBJECT,
                List.of(
                        Handlers.<ObjectContext>of(START, HandlerType.EXCLUSIVE, counted(this::start))
                                .configure(handler -> handler.idempotencyRetention(Duration.ofHours(1))),
                        Handlers.<ObjectContext>of(APPLY, HandlerType.EXCLUSIVE, counted(this::apply))
                                .configure(handler -> handler.enableLazyState(true)),
                        Handlers.<ObjectContext>of(REPORT, HandlerType.EXCLUSIVE, counted(this::report))
                                .configure(
                                        handler -> handler.enableLazyState(true).ingressPrivate(true)),
                        Handlers.<SharedObjectContext>of(FIND, HandlerType.SHARED, InstanceObject::find)
                                .configure(handler -> handler.enableLazyState(true))));
    }

    private Handlers.HandlerBody<ObjectContext> counted(Handlers.HandlerBody<ObjectContext> body) {
        return (ctx, in) -> {
            active.incrementAndGet();
            try {
                return body.run(ctx, in);
            } finally {
                active.decrementAndGet();
            }
        };
    }

    /**
     * Waits until no handler runs. A handler that is cut off is repeated by a node whose version may decide otherwise,
     * which Restate does not accept.
     */
    void awaitIdle(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (active.get() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(IDLE_POLL_NANOS);
        }
    }

    private byte[] start(ObjectContext ctx, byte[] in) {
        StartMessage message = EngineMessages.read(StartMessage.class, in);
        InstanceKey key = InstanceHeaders.instanceKey(ctx.key());
        Optional<StateHead> known = ObjectState.head(ctx);
        if (known.isPresent()) {
            return reply(states.at(key, known.get()).instance().state(), null);
        }
        headers.put(message.header());
        InstanceState fresh = InstanceState.create(
                headers.plan(message.header()),
                message.trigger(),
                message.header().createdAt());
        if (!(rule.apply(fresh, message.first(), message.at()) instanceof Decision decision)) {
            throw new IllegalStateException("a new instance cannot refuse its start");
        }
        InstanceChange change = InstanceChange.start(message.header(), decision, message.companion());
        ProblemMessage problem = project(ctx, List.of(change));
        if (problem != null) {
            return EngineMessages.write(ChangeReply.class, ChangeReply.failed(problem));
        }
        ObjectState stored = ObjectState.started(change.after()).store(ctx, List.of());
        perform(ctx, fresh, decision, stored, message.at());
        return reply(decision.state(), decision.delta());
    }

    /** An event of a person or a client, to whom the new state is returned. */
    private byte[] apply(ObjectContext ctx, byte[] in) {
        AppliedEvent applied = apply(ctx, EngineMessages.read(EventMessage.class, in));
        return switch (applied) {
            case AppliedEvent.Decided(Decision decision) -> reply(decision.state(), decision.delta());
            case AppliedEvent.Refused(ChangeReply reply) -> EngineMessages.write(ChangeReply.class, reply);
        };
    }

    /** An event of the engine itself: nobody waits for the reply. */
    private byte[] report(ObjectContext ctx, byte[] in) {
        var _ = apply(ctx, EngineMessages.read(EventMessage.class, in));
        return EngineMessages.NOTHING;
    }

    private static byte[] find(SharedObjectContext ctx, byte[] in) {
        return ObjectState.find(ctx, EngineMessages.read(FindMessage.class, in))
                .map(found -> EngineMessages.write(FoundState.class, found))
                .orElse(EngineMessages.NOTHING);
    }

    private static byte[] reply(InstanceState state, @Nullable InstanceDelta delta) {
        return EngineMessages.write(
                ChangeReply.class,
                ChangeReply.decided(
                        InstanceJson.write(state), delta == null ? InstanceDelta.between(state, state) : delta));
    }

    /** The result of an event. */
    private sealed interface AppliedEvent {
        record Decided(Decision decision) implements AppliedEvent {}

        /** @param reply why nothing changed */
        record Refused(ChangeReply reply) implements AppliedEvent {}
    }

    private AppliedEvent apply(ObjectContext ctx, EventMessage message) {
        Optional<StateHead> head = ObjectState.head(ctx);
        if (head.isEmpty()) {
            drop(ctx, message.attempt());
            return new AppliedEvent.Refused(ChangeReply.unknown());
        }
        ObjectState before = states.at(InstanceHeaders.instanceKey(ctx.key()), head.get());
        InstanceState state = before.instance().state();
        TransitionResult result = rule.apply(state, message.event(), message.at());
        if (result instanceof Rejection rejection) {
            return new AppliedEvent.Refused(ChangeReply.rejected(rejection));
        }
        Decision decision = (Decision) result;
        ObjectState after = before;
        if (decision.isChange()) {
            InstanceChange change = InstanceChange.of(
                    before.instance().header(), message.event(), decision, message.attempt(), message.companion());
            after = before.with(change);
            List<PendingChange> added = List.of(after.pending().getLast());
            if (after.isProjectionDue() || isProjected(message.event(), state, change)) {
                ProblemMessage problem = project(ctx, after.unprojected(change));
                if (problem != null) {
                    return new AppliedEvent.Refused(ChangeReply.failed(problem));
                }
                after = after.projected();
            }
            after = after.store(ctx, added);
        } else {
            drop(ctx, message.attempt());
        }
        perform(ctx, state, decision, after, message.at());
        return new AppliedEvent.Decided(decision);
    }

    /** Whether PostgreSQL must have a change at once. Progress of tasks waits for the next such change. */
    private static boolean isProjected(InstanceEvent event, InstanceState before, InstanceChange change) {
        boolean isStored = change.effects().stream().anyMatch(effect -> switch (effect) {
            case Effect.OpenTicket _,
                    Effect.CloseTicket _,
                    Effect.AskUser _,
                    Effect.StatusChanged _,
                    Effect.InstanceFinished _ -> true;
            case Effect.StartTask _, Effect.FetchInputs _, Effect.ScheduleRetry _, Effect.StopTask _ -> false;
        });
        return isStored
                || change.companion() != null
                || !(event instanceof InstanceEvent.TaskReport)
                || before.isUnderWay() != change.state().isUnderWay();
    }

    /**
     * Returns the problem of a start or of a change's companion; null if the changes are stored. Other failures are
     * retried.
     */
    private @Nullable ProblemMessage project(ObjectContext ctx, List<InstanceChange> changes) {
        InstanceChange last = changes.getLast();
        boolean mayBeRefused = last.creates() || last.companion() != null;
        byte[] problem = ctx.run("project", Serde.RAW, () -> {
            try {
                services.projection().write(changes);
                return EngineMessages.NOTHING;
            } catch (RuntimeException e) {
                boolean isOutage = e instanceof ApiProblem outage && outage.kind() == ProblemKind.UNAVAILABLE;
                if (!mayBeRefused || isOutage) {
                    throw e;
                }
                return EngineMessages.write(ProblemMessage.class, ProblemMessage.of(refusal(last, e)));
            }
        });
        return problem.length == 0 ? null : EngineMessages.read(ProblemMessage.class, problem);
    }

    /** Two executions of one task may start its sub-workflow at the same time; the second start fails here. */
    private static ApiProblem refusal(InstanceChange change, RuntimeException failure) {
        if (failure instanceof ApiProblem problem) {
            return problem;
        }
        LOG.errorf(
                failure,
                "A change of instance %s cannot be stored",
                change.header().id());
        return ApiProblem.of(ProblemKind.INTERNAL, "The change cannot be stored.");
    }

    /** Records an attempt whose result came too late. */
    private void drop(ObjectContext ctx, @Nullable TaskAttempt attempt) {
        if (attempt != null) {
            ctx.run("drop", () -> services.attempts().dropped(tasks.recorder(), attempt));
        }
    }

    private void perform(ObjectContext ctx, InstanceState before, Decision decision, ObjectState stored, Instant at) {
        InstanceKey key = InstanceHeaders.instanceKey(ctx.key());
        StoredInstance after = stored.instance();
        states.remember(stored);
        for (Effect effect : decision.effects()) {
            switch (effect) {
                case Effect.StartTask _, Effect.FetchInputs _ ->
                    ctx.send(Request.of(
                                    Target.service(TaskService.NAME, TaskService.RUN),
                                    EngineMessages.write(
                                            TaskMessage.class,
                                            new TaskMessage(key, after.state().version(), effect)))
                            .build());
                case Effect.ScheduleRetry retry ->
                    sendLater(ctx, new InstanceEvent.RetryDue(retry.task(), retry.attempt()), at, retry.at());
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
        Instant wake = after.state().nextWake();
        if (wake != null && !Objects.equals(wake, before.nextWake())) {
            sendLater(ctx, new InstanceEvent.WaitEnded(), at, wake);
        }
        if (after.state().status() != InstanceStatus.RUNNING && decision.isChange()) {
            settled.settle(after);
        }
    }

    private static void sendLater(ObjectContext ctx, InstanceEvent event, Instant now, Instant due) {
        Duration delay = Duration.between(now, due);
        var _ = ctx.send(
                Request.of(
                                Target.virtualObject(NAME, ctx.key(), REPORT),
                                EngineMessages.write(EventMessage.class, new EventMessage(event, due, null, null)))
                        .build(),
                delay.isNegative() ? Duration.ZERO : delay);
    }

    /** The request that reports the end of a task. */
    static Request<byte[], byte[]> report(InstanceKey instance, byte[] message) {
        return Request.of(
                        Target.virtualObject(NAME, InstanceHeaders.objectKey(instance), REPORT),
                        Serde.RAW,
                        Serde.RAW,
                        message)
                .build();
    }
}
