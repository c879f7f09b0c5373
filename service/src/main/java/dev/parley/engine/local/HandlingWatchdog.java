package dev.parley.engine.local;

import dev.parley.metrics.Metric;
import dev.parley.node.Ticker;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.work.LeasedWork;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.store.InstanceKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Ends take-overs that would stall on one instance again and again. The computation of an instance's next state takes
 * milliseconds. One that lasts is counted in the instance's row until it returns, so that the count outlives the node.
 * After two that did not return, nothing runs the instance any more, but requests can end it (docs/decisions/0131).
 */
final class HandlingWatchdog {
    private static final Logger LOG = Logger.getLogger(HandlingWatchdog.class);
    private static final int MAX_UNRETURNED = 2;
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration COUNTED_AFTER = Duration.ofMillis(500);

    private final OwnershipStore store;
    private final LeasedWork<InstanceKey, InstanceWorker> work;
    private final Duration deadline;

    /** A platform thread, because a computation may occupy the carriers of all virtual threads. */
    private final Ticker ticker = new Ticker("instance-watchdog");

    /** The workers whose computation in progress is counted. */
    private final Set<InstanceWorker> counted = new HashSet<>();

    private volatile Set<InstanceKey> setAside = Set.of();

    /** The instances with a handling that did not return. */
    private volatile Set<InstanceKey> suspected = Set.of();

    /** Those of them that have handled an event since. */
    private final Set<InstanceKey> handled = ConcurrentHashMap.newKeySet();

    /** @param deadline the time after which nothing waits for a computation any more */
    HandlingWatchdog(OwnershipStore store, LeasedWork<InstanceKey, InstanceWorker> work, Duration deadline) {
        this.store = store;
        this.work = work;
        this.deadline = deadline;
        Metric.INSTANCES_SET_ASIDE.gauge(this, watchdog -> watchdog.setAside.size());
    }

    void start() {
        ticker.every(PERIOD, this::check);
    }

    void stop() {
        ticker.close();
    }

    boolean isSetAside(InstanceKey key) {
        return setAside.contains(key);
    }

    /** Refuses all events of an instance that is set aside but those that end it. */
    void admit(InstanceKey key, InstanceEvent event) {
        boolean ends = event instanceof InstanceEvent.CancelRequested
                || event instanceof InstanceEvent.Terminated
                || event instanceof InstanceEvent.TimeLimitReached;
        if (!ends && isSetAside(key)) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "The instance has been set aside, because its processing did not end twice. Cancel it.");
        }
    }

    /** An event was handled and stored. A recovery shows nothing, because it may be another event that does not return. */
    void handled(InstanceKey key, InstanceEvent event) {
        if (!(event instanceof InstanceEvent.Recovered) && suspected.contains(key)) {
            handled.add(key);
        }
    }

    /** Called by the sweep, before it looks for work. Ends the suspicion of an instance that has handled an event since. */
    synchronized void readSetAside() {
        Set<InstanceKey> found = new HashSet<>();
        Set<InstanceKey> counting = new HashSet<>();
        for (OwnershipStore.UnreturnedRow row : store.unreturned()) {
            boolean isSetAside = row.unreturnedHandlings() >= MAX_UNRETURNED;
            if (!isSetAside && handled.contains(row.key())) {
                store.countUnreturned(row.key(), -1);
                continue;
            }
            counting.add(row.key());
            if (isSetAside) {
                found.add(row.key());
            }
        }
        suspected = Set.copyOf(counting);
        handled.retainAll(counting);
        found.stream()
                .filter(key -> !setAside.contains(key))
                .forEach(key -> LOG.errorf(
                        "Instance %s of organization %s is set aside: its handling did not return twice",
                        key.id(), key.organization()));
        Set<InstanceKey> before = setAside;
        setAside = Set.copyOf(found);
        before.stream().filter(key -> !found.contains(key)).forEach(work::wakeIfPresent);
    }

    private void check() {
        Set<InstanceWorker> slow = new HashSet<>();
        work.forEach(worker -> {
            if (worker.transition.elapsed().compareTo(COUNTED_AFTER) > 0) {
                slow.add(worker);
            }
        });
        slow.stream()
                .filter(worker -> worker.transition.elapsed().compareTo(deadline) > 0)
                .forEach(this::giveUp);
        slow.stream().filter(worker -> !counted.contains(worker)).forEach(worker -> tryTo(() -> count(worker)));
        List.copyOf(counted).stream()
                .filter(worker -> worker.transition.elapsed().isZero())
                .forEach(worker -> tryTo(() -> {
                    store.countUnreturned(worker.key(), -1);
                    counted.remove(worker);
                }));
    }

    private void count(InstanceWorker worker) {
        if (!worker.transition.isGivenUp()) {
            store.countUnreturned(worker.key(), 1);
            counted.add(worker);
        }
    }

    /** One instance must not keep the others from being checked, and the database may be unavailable. */
    private static void tryTo(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.warnf("The check of slow instances failed and is repeated: %s", e);
        }
    }

    /** The requests that wait for the instance are answered; the next sweep loads it again. */
    private void giveUp(InstanceWorker worker) {
        if (!counted.contains(worker)) {
            tryTo(() -> count(worker));
        }
        String at = worker.transition.giveUp().stream()
                .flatMap(thread -> Stream.of(thread.getStackTrace()))
                .map(frame -> "\n\tat " + frame)
                .collect(Collectors.joining());
        LOG.errorf(
                "The handling of instance %s does not return and is given up%s",
                worker.key().id(), at);
        counted.remove(worker);
        tryTo(this::readSetAside);
        work.giveUp(worker.key());
    }
}
