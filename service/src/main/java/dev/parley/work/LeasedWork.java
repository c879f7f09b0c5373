package dev.parley.work;

import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.metrics.Metric;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeWork;
import dev.parley.node.Ticker;
import dev.parley.problem.ApiProblem;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jdbi.v3.core.Handle;

/**
 * Runs the workers of one kind of work: one for each key that this node owns and that has work. The owner is stored in the
 * database ({@link WorkStore}), so another node adopts the keys of a dead one. A wake-up starts a worker at once; keys
 * whose wake-up was lost are found by a sweep.
 *
 * @param <K> the key
 * @param <W> its worker
 */
public final class LeasedWork<K, W extends KeyWorker> implements NodeWork {
    private static final Logger LOG = Logger.getLogger(LeasedWork.class);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration THROTTLE_CHECK = Duration.ofMillis(20);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(3);

    /** The share of the time that sweeps may use is one in this many. */
    private static final int SWEEP_SHARE = 10;

    /** Also applies after a sweep that waited for an unavailable database. */
    private static final Duration MAX_SWEEP_PAUSE = Duration.ofSeconds(5);

    private final WorkSettings settings;
    private final NodeLease node;
    private final WorkStore<K> store;
    private final WorkerFactory<K, W> factory;
    private final FairScheduler<WorkerSlot<K, W>> scheduler;
    private final Map<K, WorkerSlot<K, W>> slots = new ConcurrentHashMap<>();
    private final Ticker ticker;
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile long nextSweep = System.nanoTime();
    private volatile boolean stopping;

    /** Creates the worker of a key that a node owns. */
    @FunctionalInterface
    public interface WorkerFactory<K, W> {
        W create(K key, NodeId owner);
    }

    public LeasedWork(WorkSettings settings, NodeLease node, WorkStore<K> store, WorkerFactory<K, W> factory) {
        this.settings = settings;
        this.node = node;
        this.store = store;
        this.factory = factory;
        this.scheduler = new FairScheduler<>(settings.limits());
        this.ticker = new Ticker(settings.name() + "-clock");
    }

    /** Begins to run and to sweep. Called before the node's lease starts, which then adopts the keys of dead nodes. */
    public void start() {
        if (node.isStandby()) {
            stopping = true;
            return;
        }
        Metric.WORK_KEYS.gauge(slots, Map::size, settings.name());
        Metric.WORK_RUNNING.gauge(scheduler, FairScheduler::running, settings.name());
        Metric.WORK_WAITING.gauge(scheduler, FairScheduler::waiting, settings.name());
        node.add(this);
        ticker.every(TICK, this::tick);
        ticker.every(THROTTLE_CHECK, this::dispatch);
    }

    /** Starts no more runs, and waits up to 3 seconds for those in progress before it interrupts them. */
    public void stop() {
        stopping = true;
        ticker.close();
        awaitRuns();
        slots.values().forEach(WorkerSlot::close);
        awaitRuns();
    }

    private void awaitRuns() {
        long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
        while (scheduler.running() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    public boolean isStopping() {
        return stopping;
    }

    /** Keeps a key's worker in memory until {@link #unpin}. */
    public final class PinnedWorker {
        private final WorkerSlot<K, W> slot;

        private PinnedWorker(WorkerSlot<K, W> slot) {
            this.slot = slot;
        }

        public W worker() {
            return slot.worker;
        }

        public void unpin() {
            slot.unpin();
        }

        /** Wakes the worker, unless this node has lost it. */
        public void wake() {
            queueIf(slot.wake(), slot);
        }
    }

    /** The key's worker, created if necessary. */
    public PinnedWorker pin(K key, WorkGroup group) {
        return new PinnedWorker(slot(key, group, WorkerSlot::pin));
    }

    /** The key's worker, if there is one. */
    public Optional<W> find(K key) {
        return Optional.ofNullable(slots.get(key)).map(slot -> slot.worker);
    }

    /** Wakes the key's worker, created if necessary. */
    public void wake(K key, WorkGroup group) {
        submit(key, group, _ -> {});
    }

    /** Hands something to the key's worker, created if necessary, and wakes it. The action must not block. */
    public void submit(K key, WorkGroup group, Consumer<W> action) {
        var queued = new AtomicBoolean();
        WorkerSlot<K, W> slot = slot(key, group, chosen -> {
            action.accept(chosen.worker);
            queued.set(chosen.wake());
        });
        queueIf(queued.get(), slot);
    }

    /** Wakes the key's worker if there is one. */
    public void wakeIfPresent(K key) {
        WorkerSlot<K, W> slot = slots.get(key);
        if (slot != null) {
            queueIf(slot.wake(), slot);
        }
    }

    /** Gives up a worker whose run does not end: interrupts it and abandons it. The next wake-up creates another one. */
    public void giveUp(K key) {
        WorkerSlot<K, W> slot = slots.get(key);
        if (slot != null) {
            remove(slot);
        }
    }

    public void forEach(Consumer<W> action) {
        slots.values().forEach(slot -> action.accept(slot.worker));
    }

    /** Allows a group fewer running workers until it is fast again. */
    public void setSlow(WorkGroup group, boolean slow) {
        scheduler.setSlow(group, slow);
    }

    /** Acts on a slot that cannot be dropped meanwhile. A slot of a former id of this node is replaced. */
    private WorkerSlot<K, W> slot(K key, WorkGroup group, Consumer<WorkerSlot<K, W>> action) {
        NodeId self = node.id();
        return slots.compute(key, (_, before) -> {
            WorkerSlot<K, W> slot = before;
            if (slot == null || !slot.owner.equals(self)) {
                if (slot != null) {
                    slot.close();
                }
                slot = new WorkerSlot<>(key, group, self, factory.create(key, self));
            }
            action.accept(slot);
            return slot;
        });
    }

    private void queueIf(boolean mustRun, WorkerSlot<K, W> slot) {
        long delay = mustRun ? slot.worker.delayNanos() : 0;
        if (delay > 0) {
            Thread.ofVirtual().name(settings.name()).start(() -> {
                LockSupport.parkNanos(delay);
                offer(slot);
            });
        } else if (mustRun) {
            offer(slot);
        }
    }

    private void offer(WorkerSlot<K, W> slot) {
        if (scheduler.offer(slot.group, slot)) {
            dispatch();
        } else {
            remove(slot); // The sweep finds the key when there is room.
        }
    }

    /** Starts the workers that may run now. The clock repeats it for those that are throttled. */
    private void dispatch() {
        while (!stopping && scheduler.hasNext() && settings.mayRun().getAsBoolean()) {
            scheduler
                    .next()
                    .ifPresent(slot -> Thread.ofVirtual().name(settings.name()).start(() -> run(slot)));
        }
        if (!sweeping.get() && scheduler.pollRoomAfterOverflow()) {
            startSweep();
        }
    }

    private void run(WorkerSlot<K, W> slot) {
        NextRun next = NextRun.NEVER;
        if (slot.begin()) {
            MDC.put("organizationId", slot.group.organization().text());
            next = runWorker(slot);
        }
        boolean again = slot.end(next) && !stopping;
        if (again && slot.worker.delayNanos() <= 0) {
            scheduler.requeue(slot.group, slot);
        } else {
            scheduler.release(slot.group);
            queueIf(again, slot);
        }
        if (next == NextRun.NEVER) {
            removeIfIdle(slot);
        } else if (next == NextRun.FENCED) {
            remove(slot);
            node.fenced(slot.owner);
        }
        dispatch();
    }

    private NextRun runWorker(WorkerSlot<K, W> slot) {
        try {
            return Database.inBackground(slot.worker::run);
        } catch (InterruptedException _) {
            LOG.debugf("%s %s was stopped", settings.name(), slot.key);
            return NextRun.NEVER;
        } catch (RuntimeException | Error e) { // An error must not keep the place of the run.
            boolean outage = e instanceof ApiProblem;
            LOG.logf(
                    outage ? Logger.Level.DEBUG : Logger.Level.ERROR,
                    outage ? null : e,
                    "%s %s failed and is retried: %s",
                    settings.name(),
                    slot.key,
                    e.getMessage());
            return NextRun.RETRY;
        }
    }

    private void remove(WorkerSlot<K, W> slot) {
        slots.remove(slot.key, slot);
        slot.close();
    }

    private void removeIfIdle(WorkerSlot<K, W> slot) {
        slots.computeIfPresent(slot.key, (_, current) -> current == slot && slot.closeIfIdle() ? null : current);
    }

    private void tick() {
        long idleNanos = settings.releaseAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        for (WorkerSlot<K, W> slot : slots.values()) {
            if (slot.endBackoff()) {
                queueIf(true, slot);
            } else if (slot.beginRelease(idleNanos)) {
                Thread.ofVirtual().name(settings.name() + "-release").start(() -> release(slot));
            }
        }
        if (System.nanoTime() - nextSweep >= 0) {
            startSweep();
        }
    }

    private void startSweep() {
        Thread.ofVirtual().name(settings.name() + "-sweep").start(this::sweep);
    }

    private void release(WorkerSlot<K, W> slot) {
        boolean released = false;
        try {
            released = Database.inBackground(slot.worker::release);
        } catch (RuntimeException e) {
            LOG.debugf("%s %s is released later: %s", settings.name(), slot.key, e.getMessage());
        }
        if (slot.endRelease(released)) {
            queueIf(true, slot);
        } else if (released) {
            removeIfIdle(slot);
        }
    }

    /** Wakes due keys without a worker, and those to which another node has added work. */
    private void sweep() {
        if (stopping || !sweeping.compareAndSet(false, true)) {
            return;
        }
        long startedAt = System.nanoTime();
        NodeId self = node.id();
        try {
            for (OwnedKey<K> due : store.due(self)) {
                WorkerSlot<K, W> slot = slots.get(due.key());
                if (slot == null || !slot.owner.equals(self)) {
                    wake(due.key(), due.group());
                } else {
                    queueIf(slot.wakeIfChanged(due.version()), slot);
                }
            }
        } catch (ApiProblem e) {
            LOG.debugf("The sweep of %s is repeated: %s", settings.name(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.errorf(e, "The sweep of %s failed and is repeated", settings.name());
        } finally {
            long now = System.nanoTime();
            long pause = Math.min(SWEEP_SHARE * (now - startedAt), MAX_SWEEP_PAUSE.toNanos());
            nextSweep = now + Math.max(settings.sweepEvery().toNanos(), pause);
            sweeping.set(false);
        }
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        store.adopt(handle, from, to);
    }

    @Override
    public void adopted() {
        sweep();
    }

    @Override
    public void abandon(NodeId fencedNode) {
        slots.values().removeIf(slot -> {
            boolean lost = slot.owner.equals(fencedNode);
            if (lost) {
                slot.close();
            }
            return lost;
        });
    }
}
