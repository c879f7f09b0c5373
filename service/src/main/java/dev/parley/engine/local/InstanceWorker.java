package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.problem.ApiProblem;
import dev.parley.trace.Tracing;
import dev.parley.work.KeyWorker;
import dev.parley.work.NextRun;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.run.task.RunSpans;
import dev.parley.workflow.instance.run.task.TaskHost;
import dev.parley.workflow.instance.run.task.TaskRunner;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader.OwnedInstance;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One instance on this node. Handles its events one after another: apply, store, perform; {@link LocalEngine} applies and
 * stores the first. If another node stored the version first, the instance is loaded again and the event is applied to
 * the loaded state.
 */
final class InstanceWorker implements KeyWorker, TaskHost {
    private record AttemptNumber(TaskId task, int attempt) {}

    /** An event and the future of its result. */
    private record QueuedEvent(
            InstanceEvent event,
            @Nullable Companion companion,
            @Nullable TaskAttempt attempt,
            CompletableFuture<TransitionResult> result,
            @Nullable String trace) {
        static QueuedEvent of(InstanceEvent event, @Nullable TaskAttempt attempt) {
            return new QueuedEvent(event, null, attempt, new CompletableFuture<>(), null);
        }
    }

    private final EngineServices services;
    private final LocalEngine engine;
    private final InstanceKey key;
    private final NodeId me;
    private final Deque<QueuedEvent> queue = new ArrayDeque<>();
    final WatchedTransition transition;
    private final Map<AttemptNumber, TaskRunner.Execution> executions = new HashMap<>();
    private final List<CompletableFuture<StoredInstance>> waiting = new ArrayList<>();
    private volatile @Nullable OwnedInstance stored;
    private @Nullable QueuedEvent inProgress;
    private boolean abandoned;
    private boolean counted;

    /** Whether the instance must be loaded, because it never was or because another node may have changed it. */
    private volatile boolean stale = true;

    /** Whether tasks and timers of the loaded state may be missing here. */
    private boolean unreconciled;

    /** The state in flight at takeover, until its tasks have been restarted. */
    private @Nullable InstanceState takenOver;

    InstanceWorker(EngineServices services, LocalEngine engine, InstanceKey key, NodeId me) {
        this.services = services;
        this.engine = engine;
        this.key = key;
        this.transition = new WatchedTransition(key.organization());
        this.me = me;
    }

    InstanceKey key() {
        return key;
    }

    /** Performs the start of an instance that was just stored, unless the sweep found its row first; must not block. */
    void begin(OwnedInstance started, Decision decision) {
        synchronized (this) {
            if (abandoned || !stale || !isMine(started)) {
                return;
            }
            stale = false;
            stored = started;
        }
        count();
        perform(decision);
    }

    /** Marks an instance as counted unless it is or was; loading it corrects the count. */
    synchronized boolean countUntilLoaded() {
        boolean isNew = !abandoned && !counted && stored == null;
        counted |= isNew;
        return isNew;
    }

    /** Queues an event of a person, a client or the sweep. */
    synchronized void add(
            InstanceEvent event, @Nullable Companion companion, CompletableFuture<TransitionResult> result) {
        if (abandoned) {
            result.completeExceptionally(moving());
        } else {
            queue.add(new QueuedEvent(event, companion, null, result, Tracing.context()));
        }
    }

    /** Reports of this worker's own tasks and timers; late ones are dropped. */
    @Override
    public void onReport(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt) {
        var accepted = new AtomicBoolean();
        engine.submit(key, worker -> accepted.set(worker == this && add(report, attempt)));
        OwnedInstance known = stored;
        if (!accepted.get() && attempt != null && known != null) {
            services.attempts().recordDropped(known.header(), this::store, attempt);
        }
    }

    private synchronized boolean add(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt) {
        if (abandoned) {
            return false;
        }
        executions.remove(new AttemptNumber(report.task(), report.attempt()));
        return queue.add(QueuedEvent.of(report, attempt));
    }

    @Override
    public void store(TaskAttempt attempt) {
        services.attemptWriter().store(me, attempt);
    }

    @Override
    public AppendResult append(JournalEntry entry) throws InterruptedException {
        if (!isRunning(new AttemptNumber(new TaskId(entry.key().task()), entry.attempt()))) {
            throw new InterruptedException();
        }
        AppendResult result = await(services.journals().append(me, entry));
        if (result == AppendResult.FENCED) {
            engine.node().fenced(me);
            throw new InterruptedException();
        }
        return result;
    }

    @Override
    public synchronized ModelUsage usage() {
        OwnedInstance instance = stored;
        ModelUsage ended =
                instance == null ? ModelUsage.NONE : instance.state().tasks().usage();
        return executions.values().stream().map(TaskRunner.Execution::usage).reduce(ended, ModelUsage::plus);
    }

    private synchronized boolean isRunning(AttemptNumber attempt) {
        return !abandoned && executions.containsKey(attempt);
    }

    /** The instance as this node knows it; another node may have stored a later version. */
    Optional<OwnedInstance> current() {
        return Optional.ofNullable(stored).filter(this::isMine);
    }

    private boolean isMine(OwnedInstance instance) {
        return me.equals(instance.owner());
    }

    /** Completes the future when the instance is finished or PAUSED. */
    synchronized void onSettled(CompletableFuture<StoredInstance> future) {
        OwnedInstance instance = stored;
        if (!abandoned && instance != null && instance.state().status() != InstanceStatus.RUNNING) {
            future.complete(instance.instance());
        } else if (abandoned || current().isEmpty()) {
            future.completeExceptionally(moving());
        } else {
            waiting.add(future);
        }
    }

    /** Whether the version in this node's row shows that another node changed the instance. */
    boolean isBehind(int version) {
        OwnedInstance known = stored;
        return known != null && (!isMine(known) || known.state().version() < version);
    }

    /** Makes the next run load the instance and reconcile the running tasks; false if it does so already. */
    synchronized boolean reload() {
        boolean before = stale;
        stale = true;
        return !before;
    }

    @Override
    public void abandon() {
        List<TaskRunner.Execution> running;
        List<CompletableFuture<StoredInstance>> left;
        List<QueuedEvent> items;
        synchronized (this) {
            abandoned = true;
            running = List.copyOf(executions.values());
            executions.clear();
            left = takeWaiting();
            items = Stream.concat(Stream.ofNullable(inProgress), queue.stream()).toList();
            queue.clear();
            count();
        }
        running.forEach(TaskRunner.Execution::abandon);
        left.forEach(future -> future.completeExceptionally(moving()));
        items.forEach(item -> item.result.completeExceptionally(moving()));
    }

    private synchronized List<CompletableFuture<StoredInstance>> takeWaiting() {
        List<CompletableFuture<StoredInstance>> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    /**
     * Handles all queued events. A report that could not be stored stays in the queue, because it must not be lost. A
     * request fails at once, but it may have been stored without a response, so the instance is loaded again.
     */
    @Override
    public NextRun run() throws InterruptedException {
        TaskRunner.logAs(key.organization(), key.id());
        List<QueuedEvent> unstored = new ArrayList<>();
        RuntimeException failure = null;
        for (QueuedEvent item = poll(); item != null; item = poll()) {
            try {
                item.result.complete(handle(item));
            } catch (InterruptedException e) {
                item.result.completeExceptionally(moving());
                throw e;
            } catch (RuntimeException e) {
                if (item.event instanceof InstanceEvent.TaskReport) {
                    stale = true;
                    unstored.add(item);
                    failure = e;
                } else {
                    stale = current().isPresent();
                    item.result.completeExceptionally(e);
                }
            }
        }
        if (failure != null) {
            putBack(unstored);
            throw failure;
        }
        if ((stale || unreconciled) && !engine.watchdog().isSetAside(key)) {
            recover();
        }
        return nextRun();
    }

    private synchronized @Nullable QueuedEvent poll() {
        inProgress = queue.poll();
        return inProgress;
    }

    private synchronized void putBack(List<QueuedEvent> items) {
        items.reversed().forEach(queue::addFirst);
    }

    /** Only instances owned by this node stay in memory. */
    private NextRun nextRun() {
        OwnedInstance instance = stored;
        synchronized (this) {
            if (current().isPresent() || !executions.isEmpty()) {
                return NextRun.WHEN_WOKEN;
            }
            count(); // It may have been set aside before it was loaded.
        }
        // Another node settled or owns the instance; waiting requests poll the database.
        takeWaiting().forEach(future -> future.completeExceptionally(moving()));
        if (instance != null && instance.state().status() != InstanceStatus.RUNNING) {
            engine.settled(instance.instance());
        }
        return NextRun.NEVER;
    }

    /** Starts the tasks and timers of the state that are missing here. */
    private void recover() throws InterruptedException {
        var _ = handle(QueuedEvent.of(new InstanceEvent.Recovered(), null));
        unreconciled = false;
    }

    private TransitionResult handle(QueuedEvent item) throws InterruptedException {
        while (true) {
            OwnedInstance before = load();
            boolean isRecovery = item.event instanceof InstanceEvent.Recovered;
            if (takenOver != null && !isRecovery && !engine.watchdog().isSetAside(key)) {
                recover();
                continue;
            }
            engine.watchdog().admit(key, item.event);
            TransitionResult result = transition.watch(() -> Transition.apply(
                    before.state(), item.event, services.clock().instant()));
            if (result instanceof Rejection) {
                if (isLatest(before)) {
                    return result;
                }
                stale = true;
                continue;
            }
            Decision decision = (Decision) result;
            if (!decision.isChange()) {
                if (item.attempt != null) {
                    services.attempts().recordDropped(before.header(), this::store, item.attempt);
                }
                if (isMine(before)) {
                    perform(decision);
                }
                return result;
            }
            var header = RunSpans.continued(before.instance(), decision.state(), item.trace);
            OwnedChange change = OwnedChange.of(
                    before, InstanceChange.of(header, item.event, decision, item.attempt, item.companion), me);
            switch (await(services.store().commit(change))) {
                case STORED -> {
                    stored = change.after();
                    count();
                    engine.watchdog().handled(key, item.event);
                    RunSpans.changed(before.instance(), change.change().after(), decision.effects());
                    if (item.attempt != null) {
                        services.attempts().count(before.header(), item.attempt);
                    }
                    if (isMine(change.after()) || isMine(before)) {
                        perform(decision);
                    }
                    settle(change.change().after());
                    return result;
                }
                // Another node stored first: its state applies, and the running tasks are reconciled with it.
                case CONFLICT -> stale = true;
                case FENCED -> {
                    engine.node().fenced(me);
                    throw moving();
                }
            }
        }
    }

    /** Another node may have stored a later version of an instance in this node's memory. */
    private boolean isLatest(OwnedInstance instance) {
        return !isMine(instance)
                || services.reader()
                        .isLatest(key.organization(), key.id(), instance.state().version());
    }

    private static <T> T await(CompletableFuture<T> result) throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        }
    }

    private OwnedInstance load() {
        OwnedInstance known = stored;
        if (known != null && !stale && isMine(known)) {
            return known;
        }
        stale = false; // Before the query, so that a later change is not missed.
        OwnedInstance found;
        try {
            found = services.reader()
                    .findOwned(key.organization(), key.id())
                    .orElseThrow(() -> ApiProblem.notFound("workflow instance"));
        } catch (RuntimeException e) {
            stale = true;
            throw e;
        }
        stored = found;
        count();
        stopStale(found.state());
        unreconciled = isMine(found);
        if (!isMine(found)) {
            takenOver = null;
        } else if (known == null || !isMine(known)) {
            takenOver = found.state();
        }
        return found;
    }

    private static ApiProblem moving() {
        return ApiProblem.unavailable("The instance moves to another node.", Duration.ofSeconds(1));
    }

    private synchronized void count() {
        Optional<OwnedInstance> mine = abandoned ? Optional.empty() : current();
        boolean runs = mine.filter(one -> one.state().status() == InstanceStatus.RUNNING)
                .isPresent();
        if (runs != counted) {
            counted = runs;
            engine.counted(key.organization(), runs ? 1 : -1);
        }
    }

    /** Performs the effects of a stored decision. Tickets and messages were stored with it. */
    private void perform(Decision decision) {
        InstanceState inFlight = takenOver;
        takenOver = null;
        for (Effect effect : decision.effects()) {
            switch (effect) {
                case Effect.StartTask start ->
                    start(start, inFlight != null && isExecuting(inFlight, start.task(), start.attempt()));
                case Effect.FetchInputs fetch -> fetch(fetch);
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
        Duration delay = Duration.between(services.clock().instant(), retry.at());
        var due = new InstanceEvent.RetryDue(retry.task(), retry.attempt());
        var _ = services.delays().after(delay, () -> onReport(due, null));
    }

    private void settle(StoredInstance instance) {
        if (instance.state().status() == InstanceStatus.RUNNING) {
            return;
        }
        services.ended().count(instance);
        takeWaiting().forEach(future -> future.complete(instance));
        engine.settled(instance);
    }

    private static boolean isExecuting(InstanceState state, TaskId task, int attempt) {
        TaskState current = state.tasks().withAttempt(state.plan().number(task), attempt);
        return current != null && current.isExecuting();
    }

    /** @param again whether the same attempt ran on a node that died */
    private synchronized void start(Effect.StartTask start, boolean again) {
        OwnedInstance instance = stored;
        var key = new AttemptNumber(start.task(), start.attempt());
        if (!abandoned && instance != null && !executions.containsKey(key)) {
            executions.put(key, services.tasks().start(this, instance.instance(), start, again));
        }
    }

    private synchronized void fetch(Effect.FetchInputs fetch) {
        OwnedInstance instance = stored;
        var key = new AttemptNumber(fetch.task(), fetch.attempt());
        if (!abandoned && instance != null && !executions.containsKey(key)) {
            executions.put(key, services.tasks().startFetch(this, instance.instance(), fetch));
        }
    }

    private void stop(TaskId task, int attempt) {
        TaskRunner.Execution execution;
        synchronized (this) {
            execution = executions.remove(new AttemptNumber(task, attempt));
        }
        if (execution != null) {
            execution.stop();
        }
    }

    /** Stops running tasks that the state stored by another node no longer includes. */
    private void stopStale(InstanceState state) {
        List<TaskRunner.Execution> stale = new ArrayList<>();
        synchronized (this) {
            executions.entrySet().removeIf(entry -> {
                boolean wanted =
                        isExecuting(state, entry.getKey().task(), entry.getKey().attempt());
                if (!wanted) {
                    stale.add(entry.getValue());
                }
                return !wanted;
            });
        }
        stale.forEach(TaskRunner.Execution::stop);
    }
}
