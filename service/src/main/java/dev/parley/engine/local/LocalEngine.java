package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.metrics.Metric;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.work.LeasedWork;
import dev.parley.work.OwnedKey;
import dev.parley.work.WorkGroup;
import dev.parley.work.WorkLimits;
import dev.parley.work.WorkSettings;
import dev.parley.work.WorkStore;
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
import dev.parley.workflow.instance.run.task.RunSpans;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader.OwnedInstance;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The engine on PostgreSQL. A RUNNING instance lives in the memory of the node in its row, as an
 * {@link InstanceWorker}; every change is stored before its effects are performed, and recovery uses the row's node id
 * and the log. An instance without executing tasks, which is PAUSED or waits for a time or an event, is in no node's
 * memory. A node that changes an instance owned by another stores the change in the row too, where the owner's sweep
 * finds it.
 */
@Singleton
@Typed(LocalEngine.class)
public final class LocalEngine implements Engine, WorkStore<InstanceKey> {
    private static final int FENCE_ATTEMPTS = 3;
    private static final Duration POLL = Duration.ofMillis(100);

    /** With the ticks of the runtime's clock, changes of other nodes are found twice a second. */
    private static final Duration SWEEP_EVERY = Duration.ofMillis(400);

    private static final Duration HANDLING_DEADLINE = Duration.ofSeconds(30);
    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final EngineServices services;
    private final NodeLease node;
    private final LeasedWork<InstanceKey, InstanceWorker> work;
    private final HandlingWatchdog watchdog;

    /** Each instance once: from its start, or from when the sweep found it, until it ends or waits. */
    private final Map<OrganizationId, Integer> runningHere = new ConcurrentHashMap<>();

    /** The starts in progress, which the sweep leaves alone. */
    private final Set<InstanceKey> starting = ConcurrentHashMap.newKeySet();

    private volatile Map<OrganizationId, Integer> runningElsewhere = Map.of();
    private volatile long nextCount = System.nanoTime();

    @Inject
    public LocalEngine(EngineServices services, NodeLease node) {
        this(services, node, HANDLING_DEADLINE);
    }

    LocalEngine(EngineServices services, NodeLease node, Duration handlingDeadline) {
        this.services = services;
        this.node = node;
        this.work = new LeasedWork<>(
                new WorkSettings("instance", WorkLimits.NONE, SWEEP_EVERY, Optional.empty(), () -> true),
                node,
                this,
                (key, owner) -> new InstanceWorker(services, this, key, owner));
        this.watchdog = new HandlingWatchdog(services.ownership(), work, handlingDeadline);
        Metric.INSTANCES_RUNNING.gauge(runningHere, LocalEngine::sum);
    }

    private static int sum(Map<OrganizationId, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Called before the node's lease starts. */
    public void startWork() {
        work.start();
        watchdog.start();
        countElsewhere();
    }

    /** Stops the executors; their tasks run again on the node that takes over, or at the next start. */
    public void stopWork() {
        watchdog.stop();
        work.stop();
    }

    @Override
    public CompletableFuture<StartedInstance> start(
            InstanceHeader header,
            ExecutionPlan plan,
            TriggerData trigger,
            InstanceEvent.InstanceStarted first,
            @Nullable Companion companion) {
        InstanceState fresh = InstanceState.create(plan, trigger, header.createdAt());
        if (!(Transition.apply(fresh, first, services.clock().instant()) instanceof Decision decision)) {
            throw new IllegalStateException("a new instance cannot refuse its start");
        }
        // Counted before it is stored, so that concurrent starts cannot exceed the organization's limit together.
        counted(header.organization(), 1);
        starting.add(keyOf(header));
        var passedOn = new AtomicBoolean();
        return start(header, fresh, decision, companion, passedOn, 1).whenComplete((_, _) -> {
            starting.remove(keyOf(header));
            if (!passedOn.get()) {
                counted(header.organization(), -1);
            }
        });
    }

    /** @param passedOn set when the worker takes over the count of the start */
    private CompletableFuture<StartedInstance> start(
            InstanceHeader header,
            InstanceState fresh,
            Decision decision,
            @Nullable Companion companion,
            AtomicBoolean passedOn,
            int attempt) {
        NodeId me = node.id();
        boolean runs = decision.state().isUnderWay();
        var change = OwnedChange.start(InstanceChange.start(header, decision, companion), me);
        return services.store()
                .commit(change)
                .thenComposeAsync(
                        receipt -> {
                            if (receipt == ChangeReceipt.FENCED && attempt < FENCE_ATTEMPTS) {
                                node.fenced(me);
                                return start(header, fresh, decision, companion, passedOn, attempt + 1);
                            }
                            if (receipt != ChangeReceipt.STORED) {
                                return CompletableFuture.failedFuture(ApiProblem.unavailable(
                                        "The instance could not be started.", Duration.ofSeconds(1)));
                            }
                            StoredInstance stored = change.change().after();
                            var settled = new CompletableFuture<StoredInstance>();
                            if (runs) {
                                submit(keyOf(header), worker -> {
                                    passedOn.set(worker.countUntilLoaded());
                                    worker.begin(change.after(), decision);
                                    worker.onSettled(settled);
                                });
                            } else {
                                settled.complete(stored);
                                services.ended().count(stored);
                                RunSpans.settled(stored);
                                settled(stored);
                            }
                            return CompletableFuture.completedFuture(new StartedInstance(stored, settled));
                        },
                        DelayedActions.VIRTUAL_THREADS);
    }

    private static InstanceKey keyOf(InstanceHeader header) {
        return new InstanceKey(header.organization(), header.id());
    }

    @Override
    public CompletableFuture<TransitionResult> apply(
            OrganizationId organization, WorkflowInstanceId id, InstanceEvent event, @Nullable Companion companion) {
        if (work.isStopping()) {
            return CompletableFuture.failedFuture(ApiProblem.unavailable("The node stops.", Duration.ofSeconds(1)));
        }
        var result = new CompletableFuture<TransitionResult>();
        submit(new InstanceKey(organization, id), worker -> worker.add(event, companion, result));
        return result;
    }

    /** Hands something to the instance's worker, created if necessary, and wakes it. */
    void submit(InstanceKey key, Consumer<InstanceWorker> action) {
        work.submit(key, WorkGroup.of(key.organization()), action);
    }

    @Override
    public Optional<StoredInstance> find(OrganizationId organization, WorkflowInstanceId id) {
        return work.find(new InstanceKey(organization, id))
                .flatMap(InstanceWorker::current)
                .map(OwnedInstance::instance)
                // Another node may have stored a change that the sweep has not found yet.
                .filter(instance -> services.reader()
                        .isLatest(organization, id, instance.state().version()))
                .or(() -> services.reader().find(organization, id));
    }

    @Override
    public Optional<StoredInstance> awaitSettled(OrganizationId organization, WorkflowInstanceId id, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            Optional<InstanceWorker> worker = work.find(new InstanceKey(organization, id))
                    .filter(found -> found.current().isPresent());
            if (worker.isPresent()) {
                var settled = new CompletableFuture<StoredInstance>();
                worker.get().onSettled(settled);
                try {
                    return Optional.of(settled.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
                } catch (TimeoutException _) {
                    return find(organization, id);
                } catch (ExecutionException _) {
                    // This node lost the instance; poll the database from here on.
                }
            }
            Optional<StoredInstance> found = services.reader().find(organization, id);
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
        return runningHere.getOrDefault(organization, 0) + runningElsewhere.getOrDefault(organization, 0);
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        OwnershipStore.adopt(handle, from, to);
        nextCount = System.nanoTime(); // They are no longer elsewhere.
    }

    /**
     * Wakes the instances that this node owns and that have no worker, counted at once, so that starts meanwhile do not
     * exceed the limit; reloads those that another node has changed.
     */
    @Override
    public List<OwnedKey<InstanceKey>> due(NodeId self) {
        watchdog.readSetAside();
        // Before the rows are read, so that instances that start meanwhile are not missing in them.
        Set<InstanceWorker> missing = new HashSet<>();
        work.forEach(worker -> worker.current()
                .filter(instance -> self.equals(instance.owner()))
                .ifPresent(_ -> missing.add(worker)));
        for (OwnershipStore.OwnedRow row : services.ownership().ownedBy(self)) {
            Optional<InstanceWorker> worker = work.find(row.key());
            if (worker.isEmpty() && !watchdog.isSetAside(row.key()) && !starting.contains(row.key())) {
                submit(row.key(), found -> {
                    if (found.countUntilLoaded()) {
                        counted(row.organization(), 1);
                    }
                });
            } else if (worker.isPresent()) {
                missing.remove(worker.get());
                worker.filter(known -> known.isBehind(row.stateVersion())).ifPresent(this::reload);
            }
        }
        // Another node has ended or paused these.
        missing.stream().filter(worker -> worker.current().isPresent()).forEach(this::reload);
        endWaits(self);
        countElsewhere();
        return List.of();
    }

    /** A wait that another node ends at the same time is stored once. */
    private void endWaits(NodeId self) {
        for (InstanceKey key :
                services.ownership().toWake(self, services.clock().instant())) {
            submit(key, worker -> worker.add(new InstanceEvent.WaitEnded(), null, new CompletableFuture<>()));
        }
    }

    private void reload(InstanceWorker worker) {
        if (worker.reload()) {
            work.wakeIfPresent(worker.key());
        }
    }

    private void countElsewhere() {
        if (System.nanoTime() - nextCount >= 0) {
            runningElsewhere = services.ownership().runningElsewhere(node.id());
            nextCount = System.nanoTime() + COUNT_NANOS;
        }
    }

    LeasedWork<InstanceKey, InstanceWorker> work() {
        return work;
    }

    HandlingWatchdog watchdog() {
        return watchdog;
    }

    NodeLease node() {
        return node;
    }

    void counted(OrganizationId organization, int change) {
        runningHere.merge(organization, change, (a, b) -> a + b <= 0 ? null : a + b);
    }

    /** Wakes the conversation, whose next message may wait for this instance, and passes on its end. */
    void settled(StoredInstance instance) {
        services.subWorkflows().settled(this, instance);
        if (instance.header().conversation() != null) {
            services.messages()
                    .wake(instance.header().organization(), instance.header().conversation());
        }
    }
}
