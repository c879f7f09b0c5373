package dev.parley.engine.restate;

import dev.parley.egress.EgressRules;
import dev.parley.engine.restate.EngineMessages.ChangeReply;
import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.StartMessage;
import dev.parley.engine.restate.endpoint.RestateEndpoint;
import dev.parley.engine.restate.projection.RestateServices;
import dev.parley.engine.restate.projection.RunningCounts;
import dev.parley.engine.restate.projection.SettledInstances;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.metrics.Metric;
import dev.parley.node.NodeLease;
import dev.parley.node.Ticker;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.run.DelayedActions;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The engine on Restate. An unfinished instance is the state of a virtual object there ({@link InstanceObject}), which
 * is stored before anything follows from it. PostgreSQL has what people see: the start, each wait and the end, with
 * tickets and messages, written by the object's handlers.
 */
@Singleton
@Typed(RestateEngine.class)
public final class RestateEngine implements Engine {
    private static final Logger LOG = Logger.getLogger(RestateEngine.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration SETTLED_INTERVAL = Duration.ofMillis(250);
    private static final Duration ENDED_INTERVAL = Duration.ofSeconds(2);
    private static final Duration REGISTER_INTERVAL = Duration.ofSeconds(1);
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private final RestateServices services;
    private final Settings.Restate settings;
    private final Vertx vertx;
    private final RestateClient client;
    private final InstanceHeaders headers;
    private final InstanceStates states;
    private final NodeTasks tasks;
    private final SettledInstances settled;
    private final InstanceObject object;
    private final RunningCounts counts;
    private final Ticker ticker = new Ticker("restate");
    private @Nullable RestateEndpoint endpoint;
    private volatile boolean isRegistered;

    @Inject
    public RestateEngine(
            RestateServices services, Settings.Engines settings, NodeLease node, Vertx vertx, EgressRules rules) {
        this(services, settings.restate().orElseThrow(), node, vertx, rules, Transition::apply);
    }

    RestateEngine(
            RestateServices services,
            Settings.Restate settings,
            NodeLease node,
            Vertx vertx,
            EgressRules rules,
            TransitionRule rule) {
        this.services = services;
        this.settings = settings;
        this.vertx = vertx;
        this.client = new RestateClient(settings, rules);
        this.headers = new InstanceHeaders(services.reader(), services.plans());
        this.states = new InstanceStates(client, headers, services.projected());
        this.tasks = new NodeTasks(services, headers, states, node);
        this.settled = new SettledInstances(services, this::onSettled);
        this.object = new InstanceObject(services, headers, states, tasks, settled, rule);
        this.counts = new RunningCounts(services.projected());
        Metric.INSTANCES_RUNNING.gauge(this, RestateEngine::instancesHere);
    }

    /** Opens the endpoint, and registers it as soon as Restate can be reached. */
    public void startWork() {
        listen();
        ticker.every(SETTLED_INTERVAL, settled::poll);
        ticker.every(ENDED_INTERVAL, tasks::stopEnded);
        ticker.every(REGISTER_INTERVAL, this::register);
        try {
            register();
        } catch (ApiProblem problem) {
            LOG.warnf("%s Instances start when it is back.", problem.detail());
        }
    }

    /** Opens the endpoint. */
    void listen() {
        endpoint = new RestateEndpoint(
                vertx, settings, List.of(object.definition(), new TaskService(tasks).definition()), services.clock());
    }

    /** Makes Restate call this endpoint. */
    void register() {
        if (!isRegistered) {
            client.register();
            isRegistered = true;
        }
    }

    /** Stops the executors; Restate runs their tasks again on another node, or at the next start. */
    public void stopWork() {
        ticker.close();
        RestateEndpoint open = endpoint;
        if (open != null) {
            open.drain();
        }
        tasks.abandon();
        object.awaitIdle(DRAIN_TIMEOUT);
        if (open != null) {
            open.close();
            endpoint = null;
        }
        client.close();
    }

    private static <T> CompletableFuture<T> async(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, DelayedActions.VIRTUAL_THREADS);
    }

    private Instant now() {
        return services.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public CompletableFuture<StartedInstance> start(
            InstanceHeader header,
            ExecutionPlan plan,
            TriggerData trigger,
            InstanceEvent.InstanceStarted first,
            @Nullable Companion companion) {
        var key = new InstanceKey(header.organization(), header.id());
        byte[] message =
                EngineMessages.write(StartMessage.class, new StartMessage(header, trigger, first, now(), companion));
        headers.put(header);
        // Counted before it is stored, so that concurrent starts cannot exceed the organization's limit together.
        counts.started(header.organization());
        CompletableFuture<StoredInstance> end = settled.next(key);
        return async(() -> {
                    ChangeReply reply = EngineMessages.read(
                            ChangeReply.class,
                            client.call(
                                    key,
                                    InstanceObject.START,
                                    message,
                                    header.id().text()));
                    var started = new StoredInstance(header, state(reply, plan));
                    if (started.state().status() != InstanceStatus.RUNNING) {
                        end.complete(started);
                        settled.forget(key, end);
                    }
                    return new StartedInstance(started, end);
                })
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        settled.forget(key, end);
                        counts.ended(header.organization());
                    }
                });
    }

    private static InstanceState state(ChangeReply reply, ExecutionPlan plan) {
        return switch (reply.kind()) {
            case DECIDED -> InstanceJson.readState(Objects.requireNonNull(reply.state()), plan);
            case FAILED -> throw Objects.requireNonNull(reply.problem()).problem();
            case REJECTED, UNKNOWN -> throw new IllegalStateException("a start was " + reply.kind());
        };
    }

    @Override
    public CompletableFuture<TransitionResult> apply(
            OrganizationId organization, WorkflowInstanceId id, InstanceEvent event, @Nullable Companion companion) {
        Instant now = now();
        return async(() -> {
            StoredInstance projected = services.reader()
                    .find(organization, id)
                    .orElseThrow(() -> ApiProblem.notFound("workflow instance"));
            if (projected.state().status().isTerminal()) {
                return Transition.apply(projected.state(), event, now);
            }
            byte[] message = EngineMessages.write(EventMessage.class, new EventMessage(event, now, null, companion));
            ChangeReply reply = EngineMessages.read(
                    ChangeReply.class,
                    client.call(new InstanceKey(organization, id), InstanceObject.APPLY, message, null));
            return switch (reply.kind()) {
                case DECIDED ->
                    new Decision(
                            InstanceJson.readState(
                                    Objects.requireNonNull(reply.state()),
                                    projected.state().plan()),
                            List.of(),
                            Objects.requireNonNull(reply.delta()));
                case REJECTED -> Objects.requireNonNull(reply.rejection());
                case FAILED -> throw Objects.requireNonNull(reply.problem()).problem();
                case UNKNOWN -> applyToUnknown(organization, id, event, now, companion);
            };
        });
    }

    /**
     * The instance ended between the look into PostgreSQL and the call, or Restate's data was lost. Nothing can run a
     * lost instance, but it can be ended.
     */
    private TransitionResult applyToUnknown(
            OrganizationId organization,
            WorkflowInstanceId id,
            InstanceEvent event,
            Instant now,
            @Nullable Companion companion) {
        StoredInstance found =
                services.reader().find(organization, id).orElseThrow(() -> ApiProblem.notFound("workflow instance"));
        TransitionResult result = Transition.apply(found.state(), event, now);
        if (found.state().status().isTerminal()) {
            return result;
        }
        if (!(result instanceof Decision decision) || !decision.state().status().isTerminal()) {
            throw ApiProblem.unavailable("The workflow engine does not know the instance.", Duration.ofSeconds(2));
        }
        InstanceChange change = InstanceChange.of(found.header(), event, decision, null, companion);
        services.projection().write(List.of(change));
        settled.settle(change.after());
        return decision;
    }

    /** PostgreSQL has everything that callers have seen. While Restate is away, later progress of tasks is missing. */
    @Override
    public Optional<StoredInstance> find(OrganizationId organization, WorkflowInstanceId id) {
        Optional<StoredInstance> projected = services.reader().find(organization, id);
        if (projected.isEmpty() || projected.get().state().status().isTerminal()) {
            return projected;
        }
        Optional<StoredInstance> latest;
        try {
            latest = states.latest(new InstanceKey(organization, id));
        } catch (ApiProblem problem) {
            LOG.debugf("Instance %s is read from PostgreSQL: %s", id, problem.detail());
            return projected;
        }
        if (latest.isEmpty()) {
            return services.reader().find(organization, id);
        }
        return latest.get().state().version() < projected.get().state().version() ? projected : latest;
    }

    @Override
    public Optional<StoredInstance> awaitSettled(OrganizationId organization, WorkflowInstanceId id, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        var key = new InstanceKey(organization, id);
        CompletableFuture<StoredInstance> next = settled.next(key);
        try {
            while (true) {
                InstanceStatus status =
                        services.projected().statuses(List.of(key)).get(key);
                if (status != InstanceStatus.RUNNING || System.nanoTime() >= end) {
                    return find(organization, id);
                }
                try {
                    long wait = Math.min(POLL.toNanos(), Math.max(1, end - System.nanoTime()));
                    return Optional.of(next.get(wait, TimeUnit.NANOSECONDS));
                } catch (TimeoutException _) {
                    // Another node may have settled it.
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            }
        } finally {
            settled.forget(key, next);
        }
    }

    @Override
    public int running(OrganizationId organization) {
        return counts.running(organization);
    }

    /** The number of instances with a task on this node. */
    int instancesHere() {
        return tasks.instances();
    }

    /** Wakes the conversation, whose next message may wait for this instance, and passes on its end. */
    private void onSettled(StoredInstance instance) {
        InstanceHeader header = instance.header();
        counts.ended(header.organization());
        services.subWorkflows().settled(this, instance);
        if (header.conversation() != null) {
            services.messages().wake(header.organization(), header.conversation());
        }
    }
}
