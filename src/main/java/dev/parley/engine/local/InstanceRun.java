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
 * One instance on this node. Events queue up and are handled one after the other on a virtual thread: apply, store,
 * perform. When another node was first with a version, the instance is loaded anew and the event applied to what is
 * there now.
 */
final class InstanceRun implements TaskListener {
    /** An event with who waits for its outcome. */
    private record Item(
            InstanceEvent event,
            @Nullable Companion companion,
            @Nullable TaskAttempt attempt,
            CompletableFuture<TransitionResult> outcome) {}

    private static final Logger LOG = Logger.getLogger(InstanceRun.class);

    /** When a database that was away is asked again, and when after a failure that nobody foresaw. */
    private static final Duration SOON = Duration.ofMillis(500);

    private static final Duration LATER = Duration.ofSeconds(5);

    private final LocalEngine engine;
    private final InstanceKey key;
    private final NodeId me;
    private final Deque<Item> queue = new ArrayDeque<>();
    private final Map<TaskId, TaskRunner.Execution> executions = new HashMap<>();
    private final List<CompletableFuture<StoredInstance>> waiting = new ArrayList<>();
    private volatile @Nullable OwnedInstance stored;
    private boolean draining;
    private boolean closed;
    private boolean reload;
    private boolean counted;

    /** What was in flight when this node took the instance over, until it runs again. */
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

    /** Performs the start of an instance that this run was made with. */
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

    /** The instance as this node knows it while it runs it; another node may have stored a later version. */
    Optional<OwnedInstance> current() {
        return Optional.ofNullable(stored).filter(instance -> me.equals(instance.owner()));
    }

    /** Queues an event; empty when this run is over, and another has to be made. */
    Optional<CompletableFuture<TransitionResult>> post(InstanceEvent event, @Nullable Companion companion) {
        return post(event, companion, null);
    }

    private synchronized Optional<CompletableFuture<TransitionResult>> post(
            InstanceEvent event, @Nullable Companion companion, @Nullable TaskAttempt attempt) {
        if (closed) {
            return Optional.empty();
        }
        var item = new Item(event, companion, attempt, new CompletableFuture<>());
        queue.add(item);
        if (!draining) {
            draining = true;
            DelayedActions.VIRTUAL_THREADS.execute(this::drain);
        }
        return Optional.of(item.outcome);
    }

    /** Reports of this run's own tasks and timers; what comes too late is dropped. */
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

    /** Another node changed the instance: its state is read again, and what runs here is brought in line. */
    void reload() {
        synchronized (this) {
            reload = true;
        }
        var _ = post(new InstanceEvent.Recovered(), null);
    }

    /** This node lost the instance, or stops: nothing of it may be done here any more. */
    void forget() {
        List<TaskRunner.Execution> running;
        List<CompletableFuture<StoredInstance>> left;
        List<Item> items;
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
            Item item;
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
     * A report that could not be stored, as when the database is away, must not be lost: it is tried again. A request
     * is not, but it may have been stored although no answer came, so that the instance is read again.
     */
    private void retryLater(Item item, RuntimeException failure) {
        boolean outage = failure instanceof ApiProblem;
        if (!outage) {
            LOG.errorf(
                    failure,
                    "Instance %s could not take %s",
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
        var _ = engine.delays().after(outage ? SOON : LATER, () -> post(again, null, attempt));
    }

    private static boolean isReport(InstanceEvent event) {
        return event instanceof InstanceEvent.TaskReport || event instanceof InstanceEvent.Recovered;
    }

    /** Only an instance that this node runs stays in memory. */
    private void closeWhenIdle() {
        OwnedInstance instance = stored;
        boolean runsHere = instance != null && me.equals(instance.owner());
        if (!runsHere && queue.isEmpty() && executions.isEmpty()) {
            closed = true;
            engine.drop(this);
            // Another node settled the instance or has it now; who waits looks in the database.
            waiting.forEach(future -> future.completeExceptionally(elsewhere()));
            waiting.clear();
            if (instance != null && instance.state().status() != InstanceStatus.RUNNING) {
                engine.settled(instance.instance());
            }
        }
    }

    private TransitionResult handle(Item item) throws InterruptedException {
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
                    // Another node was first: what is there now decides, and what runs here is compared with it.
                    reload();
                }
                case FENCED -> {
                    engine.node().fenced(me);
                    throw ApiProblem.unavailable("The instance moves to another node.", Duration.ofSeconds(1));
                }
            }
        }
    }

    /** Another node may have stored a later version of an instance that this node has in memory. */
    private boolean isLatest(OwnedInstance instance) {
        return !me.equals(instance.owner())
                || engine.reader()
                        .isLatest(key.organization(), key.id(), instance.state().version());
    }

    /**
     * Reads the instance for the first time. If it is this node's, it was another's before, and what was in flight there
     * is started again before anything else happens to it, whatever the event is.
     */
    private void takeUp(InstanceEvent event) throws InterruptedException {
        OwnedInstance found = load();
        if (me.equals(found.owner())) {
            takenOver = found.state();
            if (!(event instanceof InstanceEvent.Recovered)) {
                var _ = handle(new Item(new InstanceEvent.Recovered(), null, null, new CompletableFuture<>()));
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

    private OwnedChange change(OwnedInstance before, Decision decision, Item item) {
        InstanceState after = decision.state();
        NodeId owner = before.owner() == null ? me : before.owner();
        // Also while it is paused by request, until the last of its tasks has ended: whoever takes over must know.
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

    /** Performs what follows from a stored decision. Tickets and messages were stored with it. */
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

    /** @param again whether the same attempt ran on a node that is gone */
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

    /** Stops what runs here although the instance, as another node left it, does not want it any more. */
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
