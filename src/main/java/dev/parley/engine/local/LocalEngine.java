package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.message.MessageProcessor;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeWork;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.ExecutionPlan;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.core.TriggerData;
import dev.parley.workflow.instance.run.AttemptRecorder;
import dev.parley.workflow.instance.run.DelayedActions;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.RunMetrics;
import dev.parley.workflow.instance.run.TaskRunner;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.StoredInstance;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The engine on PostgreSQL. A RUNNING instance lives in the memory of the node in its row, as an {@link InstanceRun};
 * every change is stored before its effects are performed, and recovery uses the row's node id and the log. A PAUSED
 * instance is in no node's memory unless tasks of it still execute. A node that changes an instance owned by another
 * stores the change and signals the owner.
 */
@Singleton
@Typed(LocalEngine.class)
public final class LocalEngine implements Engine, NodeWork {
    private static final Logger LOG = Logger.getLogger(LocalEngine.class);
    private static final int FENCE_ATTEMPTS = 3;
    private static final Duration POLL = Duration.ofMillis(100);

    private final InstanceStore store;
    private final OwnershipStore ownership;
    private final InstanceReader reader;
    private final NodeLease node;
    private final Clock clock;
    private final TaskRunner tasks;
    private final MessageProcessor messages;
    private final DelayedActions delays;
    private final RunMetrics ended;
    private final AttemptRecorder attempts;
    private final AttemptWriter attemptWriter;
    private final Map<InstanceKey, InstanceRun> runs = new ConcurrentHashMap<>();
    private final Map<OrganizationId, Integer> runningHere = new ConcurrentHashMap<>();
    private final Map<OrganizationId, Integer> starting = new ConcurrentHashMap<>();
    private volatile Map<OrganizationId, Integer> runningElsewhere = Map.of();
    private volatile boolean stopping;

    public LocalEngine(
            InstanceStore store,
            OwnershipStore ownership,
            InstanceReader reader,
            NodeLease node,
            Clock clock,
            TaskRunner tasks,
            MessageProcessor messages,
            DelayedActions delays,
            RunMetrics ended,
            AttemptRecorder attempts,
            AttemptWriter attemptWriter) {
        this.store = store;
        this.ownership = ownership;
        this.reader = reader;
        this.node = node;
        this.clock = clock;
        this.tasks = tasks;
        this.messages = messages;
        this.delays = delays;
        this.ended = ended;
        this.attempts = attempts;
        this.attemptWriter = attemptWriter;
        Gauge.builder("parley.instances.running", runningHere, LocalEngine::sum)
                .description("Workflow instances running on this node")
                .register(Metrics.globalRegistry);
    }

    private static int sum(Map<OrganizationId, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        node.add(this);
    }

    /** Stops the executors; their tasks run again on the node that takes over, or at the next start. */
    void stop(@Observes @Priority(90) ShutdownEvent event) {
        stopping = true;
        runs.values().forEach(InstanceRun::forget);
    }

    @Override
    public CompletableFuture<StartedInstance> start(
            InstanceHeader header, ExecutionPlan plan, TriggerData trigger, @Nullable Companion companion) {
        InstanceState fresh = InstanceState.create(plan, trigger, header.createdAt());
        if (!(Transition.apply(fresh, new InstanceEvent.InstanceStarted(), clock.instant())
                instanceof Decision decision)) {
            throw new IllegalStateException("a new instance cannot refuse its start");
        }
        // Counted before it is stored, so that concurrent starts cannot exceed the organization's limit together.
        starting.merge(header.organization(), 1, Integer::sum);
        return start(header, fresh, decision, companion, 1)
                .whenComplete((_, _) -> starting.merge(header.organization(), -1, (a, b) -> a + b <= 0 ? null : a + b));
    }

    private CompletableFuture<StartedInstance> start(
            InstanceHeader header, InstanceState fresh, Decision decision, @Nullable Companion companion, int attempt) {
        NodeId me = node.id();
        boolean runs = decision.state().status() == InstanceStatus.RUNNING;
        var change = new OwnedChange(InstanceChange.start(header, decision, companion), me, runs ? me : null, true);
        return store.commit(change)
                .thenComposeAsync(
                        receipt -> {
                            if (receipt == ChangeReceipt.FENCED && attempt < FENCE_ATTEMPTS) {
                                node.fenced(me);
                                return start(header, fresh, decision, companion, attempt + 1);
                            }
                            if (receipt != ChangeReceipt.STORED) {
                                return CompletableFuture.failedFuture(ApiProblem.unavailable(
                                        "The instance could not be started.", Duration.ofSeconds(1)));
                            }
                            StoredInstance stored = change.change().after();
                            var settled = new CompletableFuture<StoredInstance>();
                            if (runs) {
                                run(change.after(), me, decision).onSettled(settled);
                            } else {
                                settled.complete(stored);
                                ended.count(stored);
                                settled(stored);
                            }
                            return CompletableFuture.completedFuture(new StartedInstance(stored, settled));
                        },
                        DelayedActions.VIRTUAL_THREADS);
    }

    /** Runs an instance that was just stored, unless the sweep found its row first. */
    private InstanceRun run(OwnedInstance stored, NodeId me, Decision decision) {
        var key =
                new InstanceKey(stored.header().organization(), stored.header().id());
        var fresh = new InstanceRun(this, key, me, stored);
        InstanceRun found = runs.putIfAbsent(key, fresh);
        if (found != null) {
            return found;
        }
        fresh.begin(decision);
        return fresh;
    }

    @Override
    public CompletableFuture<TransitionResult> apply(
            OrganizationId organization, WorkflowInstanceId id, InstanceEvent event, @Nullable Companion companion) {
        return run(new InstanceKey(organization, id), event, companion);
    }

    /** Passes the event to the instance's run, creating one if necessary. */
    CompletableFuture<TransitionResult> run(InstanceKey key, InstanceEvent event, @Nullable Companion companion) {
        while (true) {
            InstanceRun run = runs.computeIfAbsent(key, absent -> new InstanceRun(this, absent, node.id(), null));
            Optional<CompletableFuture<TransitionResult>> posted = run.post(event, companion);
            if (posted.isPresent()) {
                return posted.get();
            }
            runs.remove(key, run);
        }
    }

    @Override
    public Optional<StoredInstance> find(OrganizationId organization, WorkflowInstanceId id) {
        InstanceRun run = runs.get(new InstanceKey(organization, id));
        Optional<StoredInstance> current =
                run == null ? Optional.empty() : run.current().map(OwnedInstance::instance);
        // Another node may have stored a change whose signal has not arrived yet.
        Optional<StoredInstance> latest = current.filter(
                instance -> reader.isLatest(organization, id, instance.state().version()));
        return latest.isPresent() ? latest : reader.find(organization, id);
    }

    @Override
    public Optional<StoredInstance> awaitSettled(OrganizationId organization, WorkflowInstanceId id, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            InstanceRun run = runs.get(new InstanceKey(organization, id));
            if (run != null && run.current().isPresent()) {
                var settled = new CompletableFuture<StoredInstance>();
                run.onSettled(settled);
                try {
                    return Optional.of(settled.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
                } catch (TimeoutException _) {
                    return find(organization, id);
                } catch (ExecutionException _) {
                    // This node lost the instance; poll the database from here on.
                }
            }
            Optional<StoredInstance> found = reader.find(organization, id);
            boolean settled = found.filter(instance -> instance.state().status() == InstanceStatus.RUNNING)
                    .isEmpty();
            if (settled || System.nanoTime() >= end) {
                return found;
            }
            LockSupport.parkNanos(Math.min(POLL.toNanos(), Math.max(1, end - System.nanoTime())));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public int running(OrganizationId organization) {
        return starting.getOrDefault(organization, 0)
                + runningHere.getOrDefault(organization, 0)
                + runningElsewhere.getOrDefault(organization, 0);
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        OwnershipStore.adopt(handle, from, to);
    }

    @Override
    public void adopted() {
        for (InstanceKey key : ownership.ownedBy(node.id())) {
            if (!runs.containsKey(key)) {
                recover(key);
            }
        }
    }

    private void recover(InstanceKey key) {
        var _ = run(key, new InstanceEvent.Recovered(), null).whenComplete((_, failure) -> {
            if (failure != null && !stopping) {
                LOG.warnf("Instance %s is taken over later: %s", key.id(), failure.getMessage());
            }
        });
    }

    @Override
    public void forget(NodeId was) {
        runs.values().removeIf(run -> {
            boolean lost = run.isOf(was);
            if (lost) {
                run.forget();
            }
            return lost;
        });
    }

    /** Processes signals of other nodes and due time limits; called by {@link InstanceSweeper}. */
    void takeSignals() {
        for (InstanceKey key : ownership.takeSignals(node.id())) {
            InstanceRun run = runs.get(key);
            if (run != null) {
                run.reload();
            } else {
                recover(key);
            }
        }
        // Retries failed takeovers.
        adopted();
    }

    void countElsewhere() {
        runningElsewhere = ownership.runningElsewhere(node.id());
    }

    void endOverdue() {
        Instant now = clock.instant();
        for (InstanceKey key : reader.overdue(now)) {
            var _ = run(key, new InstanceEvent.TimeLimitReached(), null);
        }
        for (InstanceKey key : reader.ofDeletedOrganizations()) {
            var _ = run(key, new InstanceEvent.Terminated("The organization was deleted.", "system"), null);
        }
    }

    InstanceStore store() {
        return store;
    }

    OwnershipStore ownership() {
        return ownership;
    }

    InstanceReader reader() {
        return reader;
    }

    NodeLease node() {
        return node;
    }

    Clock clock() {
        return clock;
    }

    TaskRunner tasks() {
        return tasks;
    }

    DelayedActions delays() {
        return delays;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Removes a run that has ended. */
    void drop(InstanceRun run) {
        runs.remove(run.key(), run);
    }

    void counted(OrganizationId organization, int change) {
        runningHere.merge(organization, change, (a, b) -> a + b <= 0 ? null : a + b);
    }

    RunMetrics ended() {
        return ended;
    }

    AttemptRecorder attempts() {
        return attempts;
    }

    AttemptWriter attemptWriter() {
        return attemptWriter;
    }

    /** Wakes the conversation, whose next message may wait for this instance. */
    void settled(StoredInstance instance) {
        if (instance.header().conversation() != null) {
            messages.wake(instance.header().organization(), instance.header().conversation());
        }
    }
}
