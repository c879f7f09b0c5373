package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.Rejection;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.run.DelayedActions;
import dev.parley.workflow.instance.run.TaskListener;
import dev.parley.workflow.instance.run.TaskRunner;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One instance on this node. Events are queued and handled one at a time on a virtual thread: apply, store, perform. If
 * another node stored the version first, the instance is reloaded and the event is applied to the reloaded state.
 */
final class InstanceRun implements TaskListener {
    /** An event and the future of its result. */
    private record QueuedEvent(
            InstanceEvent event,
            @Nullable Companion companion,
            @Nullable TaskAttempt attempt,
            CompletableFuture<TransitionResult> outcome) {}

    private static final Logger LOG = Logger.getLogger(InstanceRun.class);

    /** The retry delays after the database was unavailable and after an unexpected failure. */
    private static final Duration OUTAGE_RETRY_DELAY = Duration.ofMillis(500);

    private static final Duration FAILURE_RETRY_DELAY = Duration.ofSeconds(5);

    private final LocalEngine engine;
    private final InstanceKey key;
    private final NodeId me;
    private final Deque<QueuedEvent> queue = new ArrayDeque<>();
    private final Map<TaskId, TaskRunner.Execution> executions = new HashMap<>();
    private final List<CompletableFuture<StoredInstance>> waiting = new ArrayList<>();
    private volatile @Nullable OwnedInstance stored;
    private boolean draining;
    private boolean closed;
    private boolean reload;
    private boolean counted;

    /** The state in flight at takeover, until its tasks have been restarted. */
    private @Nullable InstanceState takenOver;

    InstanceRun(LocalEngine engine, InstanceKey key, NodeId me, @Nullable OwnedInstance stored) {
        this.engine = engine;
        this.key = key;
        this.me = me;
        this.stored = stored;
    }

    boolean isOf(NodeId node) {
        return me.equals(node);
    }

    /** Performs the start of the instance that this run was created with. */
    void begin(Decision decision) {
        count(Objects.requireNonNull(stored));
        perform(decision);
    }

    InstanceKey key() {
        return key;
    }

    @Override
    public void store(TaskAttempt attempt) {
        engine.attemptWriter().store(me, attempt);
    }

    /** The instance as this node knows it; another node may have stored a later version. */
    Optional<OwnedInstance> current() {
        return Optional.ofNullable(stored).filter(instance -> me.equals(instance.owner()));
    }

    /** Queues an event; empty if this run has ended and a new one must be created. */
    Optional<CompletableFuture<TransitionResult>> post(InstanceEvent event, @Nullable Companion companion) {
        return post(event, companion, null);
    }

    private synchronized Optional<CompletableFuture<TransitionResult>> post(
            InstanceEvent event, @Nullable Companion companion, @Nullable TaskAttempt attempt) {
        if (closed) {
            return Optional.empty();
        }
        var item = new QueuedEvent(event, companion, attempt, new CompletableFuture<>());
        queue.add(item);
        if (!draining) {
            draining = true;
            DelayedActions.VIRTUAL_THREADS.execute(this::drain);
        }
        return Optional.of(item.outcome);
    }

    /** Reports of this run's own tasks and timers; late ones are dropped. */
    @Override
    public void onReport(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt) {
        synchronized (this) {
            TaskRunner.Execution execution = executions.get(report.task());
            if (execution != null && execution.attempt() == report.attempt()) {
                executions.remove(report.task());
            }
        }
        if (post(report, null, attempt).isEmpty() && attempt != null) {
            engine.attempts().dropped(this, attempt);
        }
    }

    /** Completes the future when the instance is finished or PAUSED. */
    synchronized void onSettled(CompletableFuture<StoredInstance> future) {
        OwnedInstance instance = stored;
        if (closed) {
            future.completeExceptionally(elsewhere());
        } else if (instance != null && instance.state().status() != InstanceStatus.RUNNING) {
            future.complete(instance.instance());
        } else {
            waiting.add(future);
        }
    }

    /** Called when another node changed the instance: reloads it and reconciles the running tasks. */
    void reload() {
        synchronized (this) {
            reload = true;
        }
        var _ = post(new InstanceEvent.Recovered(), null);
    }

    /** Called when this node loses the instance or stops: nothing more may be done here. */
    void forget() {
        List<TaskRunner.Execution> running;
        List<CompletableFuture<StoredInstance>> left;
        List<QueuedEvent> items;
        synchronized (this) {
            closed = true;
            running = List.copyOf(executions.values());
            executions.clear();
            left = List.copyOf(waiting);
            waiting.clear();
            items = List.copyOf(queue);
            queue.clear();
            if (counted) {
                counted = false;
                engine.counted(key.organization(), -1);
            }
        }
        running.forEach(TaskRunner.Execution::abandon);
        ApiProblem lost = ApiProblem.unavailable("The instance moves to another node.", Duration.ofSeconds(1));
        left.forEach(future -> future.completeExceptionally(lost));
        items.forEach(item -> item.outcome.completeExceptionally(lost));
    }

    private void drain() {
        TaskRunner.logAs(key.organization(), key.id());
        while (true) {
            QueuedEvent item;
            synchronized (this) {
                item = queue.poll();
                if (item == null) {
                    draining = false;
                    closeWhenIdle();
                    return;
                }
            }
            try {
                item.outcome.complete(handle(item));
            } catch (InterruptedException _) {
                item.outcome.completeExceptionally(ApiProblem.unavailable("The node stops.", Duration.ofSeconds(1)));
            } catch (RuntimeException e) {
                item.outcome.completeExceptionally(e);
                retryLater(item, e);
            }
        }
    }

    /**
     * Retries a report that could not be stored, for example because the database is unavailable: it must not be lost.
     * A request is not retried, but it may have been stored without a response, so the instance is reloaded.
     */
    private void retryLater(QueuedEvent item, RuntimeException failure) {
        boolean outage = failure instanceof ApiProblem;
        if (!outage) {
            LOG.errorf(
                    failure,
                    "Instance %s could not apply %s",
                    key.id(),
                    item.event.getClass().getSimpleName());
        }
        synchronized (this) {
            reload = true;
        }
        if (engine.isStopping() || !(isReport(item.event) || current().isPresent())) {
            return;
        }
        InstanceEvent again = isReport(item.event) ? item.event : new InstanceEvent.Recovered();
        TaskAttempt attempt = isReport(item.event) ? item.attempt : null;
        var _ = engine.delays()
                .after(outage ? OUTAGE_RETRY_DELAY : FAILURE_RETRY_DELAY, () -> post(again, null, attempt));
    }

    private static boolean isReport(InstanceEvent event) {
        return event instanceof InstanceEvent.TaskReport || event instanceof InstanceEvent.Recovered;
    }

    /** Only instances owned by this node stay in memory. */
    private void closeWhenIdle() {
        OwnedInstance instance = stored;
        boolean runsHere = instance != null && me.equals(instance.owner());
        if (!runsHere && queue.isEmpty() && executions.isEmpty()) {
            closed = true;
            engine.drop(this);
            // Another node settled or owns the instance; waiting requests poll the database.
            waiting.forEach(future -> future.completeExceptionally(elsewhere()));
            waiting.clear();
            if (instance != null && instance.state().status() != InstanceStatus.RUNNING) {
                engine.settled(instance.instance());
            }
        }
    }

    private TransitionResult handle(QueuedEvent item) throws InterruptedException {
        if (stored == null) {
            takeUp(item.event);
        }
        while (true) {
            OwnedInstance before = load();
            TransitionResult outcome =
                    Transition.apply(before.state(), item.event, engine.clock().instant());
            if (outcome instanceof Rejection) {
                if (isLatest(before)) {
                    return outcome;
                }
                reload();
                continue;
            }
            Decision decision = (Decision) outcome;
            if (!decision.isChange()) {
                if (item.attempt != null) {
                    engine.attempts().dropped(this, item.attempt);
                }
                if (me.equals(before.owner())) {
                    perform(decision);
                }
                return outcome;
            }
            OwnedChange change = change(before, decision, item);
            switch (commit(change)) {
                case STORED -> {
                    accept(change);
                    if (item.attempt != null) {
                        engine.attempts().count(item.attempt);
                    }
                    if (me.equals(change.owner()) || me.equals(before.owner())) {
                        perform(decision);
                    } else if (before.owner() != null) {
                        engine.ownership().signal(key, before.owner());
                    }
                    settle(change.change().after());
                    return outcome;
                }
                case CONFLICT -> {
                    // Another node stored first: its state applies, and the running tasks are reconciled with it.
                    reload();
                }
                case FENCED -> {
                    engine.node().fenced(me);
                    throw ApiProblem.unavailable("The instance moves to another node.", Duration.ofSeconds(1));
                }
            }
        }
    }

    /** Another node may have stored a later version of an instance in this node's memory. */
    private boolean isLatest(OwnedInstance instance) {
        return !me.equals(instance.owner())
                || engine.reader()
                        .isLatest(key.organization(), key.id(), instance.state().version());
    }

    /** Loads the instance. If this node took it over, the tasks that were in flight restart before any other event. */
    private void takeUp(InstanceEvent event) throws InterruptedException {
        OwnedInstance found = load();
        if (me.equals(found.owner())) {
            takenOver = found.state();
            if (!(event instanceof InstanceEvent.Recovered)) {
                var _ = handle(new QueuedEvent(new InstanceEvent.Recovered(), null, null, new CompletableFuture<>()));
            }
        }
    }

    private ChangeReceipt commit(OwnedChange change) throws InterruptedException {
        try {
            return engine.store().commit(change).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        }
    }

    private OwnedInstance load() {
        OwnedInstance known = stored;
        boolean again;
        synchronized (this) {
            again = reload;
            reload = false;
        }
        if (known != null && !again && me.equals(known.owner())) {
            return known;
        }
        OwnedInstance found;
        try {
            found = engine.ownership()
                    .find(key.organization(), key.id())
                    .orElseThrow(() -> ApiProblem.notFound("workflow instance"));
        } catch (RuntimeException e) {
            synchronized (this) {
                reload |= again;
            }
            throw e;
        }
        stored = found;
        count(found);
        if (again) {
            stopStale(found.state());
        }
        return found;
    }

    private static ApiProblem elsewhere() {
        return ApiProblem.unavailable("The instance runs elsewhere.", Duration.ofSeconds(1));
    }

    private OwnedChange change(OwnedInstance before, Decision decision, QueuedEvent item) {
        InstanceState after = decision.state();
        NodeId owner = before.owner() == null ? me : before.owner();
        // Kept while paused by request until its last task has ended, so that a recovering node finds it.
        NodeId next = after.isUnderWay() ? owner : null;
        InstanceChange change = InstanceChange.of(before.header(), item.event, decision, item.attempt, item.companion);
        boolean rowChanges = !change.steps().isEmpty()
                || !Objects.equals(next, before.owner())
                || after.version() % InstanceStore.CHECKPOINT_EVERY == 0;
        return new OwnedChange(change, me, next, rowChanges);
    }

    private void accept(OwnedChange change) {
        OwnedInstance now = change.after();
        stored = now;
        count(now);
    }

    private synchronized void count(OwnedInstance instance) {
        boolean runs =
                !closed && me.equals(instance.owner()) && instance.state().status() == InstanceStatus.RUNNING;
        if (runs != counted) {
            counted = runs;
            engine.counted(key.organization(), runs ? 1 : -1);
        }
    }

    /** Performs the effects of a stored decision. Tickets and messages were stored with it. */
    void perform(Decision decision) {
        InstanceState inFlight = takenOver;
        takenOver = null;
        for (Effect effect : decision.effects()) {
            switch (effect) {
                case Effect.StartTask start -> start(start, inFlight != null && wasInFlight(inFlight, start));
                case Effect.StopTask stop -> stop(stop.task(), stop.attempt());
                case Effect.ScheduleRetry retry -> retryAt(retry);
                case Effect.OpenTicket _,
                        Effect.CloseTicket _,
                        Effect.AskUser _,
                        Effect.StatusChanged _,
                        Effect.InstanceFinished _ -> {
                    // Stored with the change.
                }
            }
        }
    }

    private void retryAt(Effect.ScheduleRetry retry) {
        Duration delay = Duration.between(engine.clock().instant(), retry.at());
        var due = new InstanceEvent.RetryDue(retry.task(), retry.attempt());
        var _ = engine.delays().after(delay, () -> onReport(due, null));
    }

    private void settle(StoredInstance instance) {
        if (instance.state().status() == InstanceStatus.RUNNING) {
            return;
        }
        engine.ended().count(instance);
        List<CompletableFuture<StoredInstance>> done;
        synchronized (this) {
            done = List.copyOf(waiting);
            waiting.clear();
        }
        done.forEach(future -> future.complete(instance));
        engine.settled(instance);
    }

    private static boolean wasInFlight(InstanceState before, Effect.StartTask start) {
        TaskState task = before.task(start.task());
        return task.isExecuting() && task.attempt() == start.attempt();
    }

    /** @param again whether the same attempt ran on a node that died */
    private synchronized void start(Effect.StartTask start, boolean again) {
        OwnedInstance instance = stored;
        TaskRunner.Execution running = executions.get(start.task());
        if (closed || instance == null || (running != null && running.attempt() == start.attempt())) {
            return;
        }
        executions.put(start.task(), engine.tasks().start(this, instance.instance(), start, again));
    }

    private void stop(TaskId task, int attempt) {
        TaskRunner.Execution execution;
        synchronized (this) {
            execution = executions.get(task);
            if (execution == null || execution.attempt() != attempt) {
                return;
            }
            executions.remove(task);
        }
        execution.stop();
    }

    /** Stops running tasks that the state stored by another node no longer includes. */
    private void stopStale(InstanceState state) {
        List<TaskRunner.Execution> stale = new ArrayList<>();
        synchronized (this) {
            executions.entrySet().removeIf(entry -> {
                TaskState task = state.task(entry.getKey());
                boolean wanted =
                        task.isExecuting() && task.attempt() == entry.getValue().attempt();
                if (!wanted) {
                    stale.add(entry.getValue());
                }
                return !wanted;
            });
        }
        stale.forEach(TaskRunner.Execution::stop);
    }
}
