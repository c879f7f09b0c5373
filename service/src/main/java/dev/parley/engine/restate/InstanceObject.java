package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ChangeReply;
import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.FindMessage;
import dev.parley.engine.restate.EngineMessages.FoundState;
import dev.parley.engine.restate.EngineMessages.ProblemMessage;
import dev.parley.engine.restate.EngineMessages.StartMessage;
import dev.parley.engine.restate.endpoint.HandlerDefinitions;
import dev.parley.engine.restate.projection.RestateServices;
import dev.parley.engine.restate.projection.SettledInstances;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.restate.common.Request;
import dev.restate.common.Target;
import dev.restate.sdk.ObjectContext;
import dev.restate.sdk.SharedObjectContext;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.serde.Serde;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The virtual object of an instance: one handler at a time applies an event, stores the change, projects it where
 * PostgreSQL must have it, and sends the tasks and timers. Handlers read no clock, because a repeated one must do the
 * same.
 */
final class InstanceObject {
    static final String NAME = "ParleyInstance";
    static final String START = "start";
    static final String APPLY = "apply";
    static final String FIND = "find";
    static final String REPORT = "report";
    private static final long IDLE_POLL_NANOS = 5_000_000;

    private final HandlerProjection projection;
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
        this.projection = new HandlerProjection(services.projection());
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
                        HandlerDefinitions.<ObjectContext>of(START, HandlerType.EXCLUSIVE, counted(this::start))
                                .configure(handler -> handler.idempotencyRetention(Duration.ofHours(1))),
                        HandlerDefinitions.<ObjectContext>of(APPLY, HandlerType.EXCLUSIVE, counted(this::apply))
                                .configure(handler -> handler.enableLazyState(true)),
                        HandlerDefinitions.<ObjectContext>of(REPORT, HandlerType.EXCLUSIVE, counted(this::report))
                                .configure(
                                        handler -> handler.enableLazyState(true).ingressPrivate(true)),
                        HandlerDefinitions.<SharedObjectContext>of(FIND, HandlerType.SHARED, InstanceObject::find)
                                .configure(handler -> handler.enableLazyState(true))));
    }

    private HandlerDefinitions.HandlerBody<ObjectContext> counted(HandlerDefinitions.HandlerBody<ObjectContext> body) {
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
        var run = new HandlerRun(ctx, rule, projection, tasks, ObjectState.started(change.after()));
        ProblemMessage problem = run.start(fresh, decision, change, message.at());
        if (problem != null) {
            return EngineMessages.write(ChangeReply.class, ChangeReply.failed(problem));
        }
        end(run);
        return reply(run.state(), decision.delta());
    }

    /** An event of a person or a client, to whom the new state is returned. */
    private byte[] apply(ObjectContext ctx, byte[] in) {
        return switch (apply(ctx, EngineMessages.read(EventMessage.class, in))) {
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

    private AppliedEvent apply(ObjectContext ctx, EventMessage message) {
        Optional<StateHead> head = ObjectState.head(ctx);
        if (head.isEmpty()) {
            tasks.drop(ctx, message.attempt());
            return new AppliedEvent.Refused(ChangeReply.unknown());
        }
        ObjectState before = states.at(InstanceHeaders.instanceKey(ctx.key()), head.get());
        var run = new HandlerRun(ctx, rule, projection, tasks, before);
        AppliedEvent applied = run.apply(message);
        if (applied instanceof AppliedEvent.Decided) {
            end(run);
        }
        return applied;
    }

    private void end(HandlerRun run) {
        ObjectState stored = run.end();
        states.remember(stored);
        if (run.isSettled()) {
            settled.settle(stored.instance());
        }
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
