package dev.parley.webhook;

import dev.parley.db.BackgroundThrottle;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeWork;
import dev.parley.webhook.FairDeliveryScheduler.DeliverySlot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Runs the delivery queues of this node. A queue is owned by the node that first queued into it until it is empty;
 * queues of a dead node are adopted. New deliveries are sent right after their commit; retries, adopted queues and
 * those that exceeded the memory limit are found by polling the index twice a second.
 *
 * <p>Deliveries are sent at least once: a node that dies between the response and its recording leaves the delivery to
 * be sent again.
 */
@Singleton
public final class WebhookSender implements NodeWork {
    private static final Logger LOG = Logger.getLogger(WebhookSender.class);

    /** Queues read by one statement. */
    private static final int BATCH = 64;

    /** Queues read by one statement under overload: all that is read is sent, so that nothing is read twice. */
    private static final int OVERLOAD_BATCH = 4;

    /** Deliveries per second that are sent even under overload. */
    private static final int MIN_PER_SECOND = 500;

    private static final long POLL_INTERVAL_NANOS = Duration.ofMillis(500).toNanos();

    /** Also applies after a poll that waited for an unavailable database: retries must not wait ten times as long. */
    private static final long MAX_POLL_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    /** The usual time until the commit of queued deliveries. */
    private static final long COMMIT_NANOS = Duration.ofMillis(4).toNanos();

    /** How long a queueing transaction may stay uncommitted and still be sent at once after its commit. */
    private static final long MAX_COMMIT_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long STOP_TIMEOUT_MILLIS = 3_000;

    private final DeliveryQueueStore store;
    private final WebhookSecrets secrets;
    private final DeliveryWorker worker;
    private final NodeLease node;
    private final BackgroundThrottle throttle;
    private final BackgroundThrottle.Budget budget;
    private final FairDeliveryScheduler scheduler = new FairDeliveryScheduler();
    private final Map<DeliveryQueue, QueuedDeliveries> queued = new ConcurrentHashMap<>();
    private volatile boolean stopping;
    private volatile @Nullable Thread thread;
    private long polledAt = System.nanoTime() - POLL_INTERVAL_NANOS;
    private long pollNanos;

    /**
     * Deliveries queued by this node.
     *
     * @param since when they were queued
     * @param checkAt when to check for their commit
     */
    private record QueuedDeliveries(DeliveryReceiver receiver, long sequence, long since, long checkAt) {
        /** Checks again after as long as it has waited: the transaction may be slow or rolled back. */
        QueuedDeliveries checkLater(long now) {
            return new QueuedDeliveries(receiver, sequence, since, now + (now - since));
        }

        QueuedDeliveries with(QueuedDeliveries next) {
            return new QueuedDeliveries(
                    receiver, Math.max(sequence, next.sequence), next.since, Math.min(checkAt, next.checkAt));
        }
    }

    public WebhookSender(
            DeliveryQueueStore store,
            WebhookSecrets secrets,
            DeliveryWorker worker,
            NodeLease node,
            BackgroundThrottle throttle) {
        this.store = store;
        this.secrets = secrets;
        this.worker = worker;
        this.node = node;
        this.throttle = throttle;
        this.budget = throttle.budget(MIN_PER_SECOND);
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        node.add(this);
        Gauge.builder("parley.webhook.queues.waiting", scheduler, FairDeliveryScheduler::waiting)
                .description("Delivery queues that wait for a slot on this node")
                .register(Metrics.globalRegistry);
        Gauge.builder("parley.webhook.queues.sending", scheduler, FairDeliveryScheduler::running)
                .description("Delivery queues that this node is sending")
                .register(Metrics.globalRegistry);
        thread = Thread.ofPlatform().daemon().name("webhook-sender").start(this::run);
    }

    /** Starts no more deliveries, and waits briefly for those in progress. */
    void stop(@Observes @Priority(100) ShutdownEvent event) {
        stopping = true;
        wake();
        long deadline =
                System.nanoTime() + Duration.ofMillis(STOP_TIMEOUT_MILLIS).toNanos();
        while (scheduler.running() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Called when deliveries are queued by a transaction that has not committed yet. */
    void queued(DeliveryQueue queue, DeliveryReceiver receiver, long sequence) {
        long now = System.nanoTime();
        var entry = new QueuedDeliveries(receiver, sequence, now, now + COMMIT_NANOS);
        if (queued.merge(queue, entry, QueuedDeliveries::with).equals(entry)) {
            wake();
        }
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        DeliveryQueueStore.adopt(handle, from, to);
    }

    @Override
    public void adopted() {
        wake();
    }

    /** Results in progress under the old id are not stored; the rest is not found under the new one. */
    @Override
    public void forget(NodeId formerNode) {
        queued.clear();
    }

    private void run() {
        while (!stopping) {
            try {
                if (!step()) {
                    LockSupport.parkNanos(queued.isEmpty() ? POLL_INTERVAL_NANOS / 2 : COMMIT_NANOS);
                }
            } catch (RuntimeException e) {
                LOG.warnf("The webhook sender failed and retries: %s", e.getMessage());
                LockSupport.parkNanos(POLL_INTERVAL_NANOS);
            }
        }
    }

    /** Starts some queues; false if there is nothing to do until the next event. */
    private boolean step() {
        offerQueued();
        long sincePoll = System.nanoTime() - polledAt;
        // A poll that finds many queues is slow; polling may use a tenth of the time.
        if (sincePoll > Math.clamp(10 * pollNanos, POLL_INTERVAL_NANOS, MAX_POLL_PAUSE_NANOS)
                || scheduler.pollOverflow()) {
            poll();
        }
        if (budget.mustWait()) {
            return false;
        }
        List<DeliverySlot> next = scheduler.take(throttle.isBusy() ? OVERLOAD_BATCH : BATCH);
        if (next.isEmpty()) {
            return false;
        }
        begin(next);
        return true;
    }

    private void offerQueued() {
        long now = System.nanoTime();
        queued.forEach((queue, entry) -> {
            if (now - entry.checkAt < 0) {
                return;
            }
            if (!scheduler.offer(queue, entry.receiver) || now - entry.since > MAX_COMMIT_NANOS) {
                queued.remove(queue, entry);
            } else {
                queued.replace(queue, entry, entry.checkLater(now));
            }
        });
    }

    private void poll() {
        polledAt = System.nanoTime();
        NodeId self = node.id();
        while (store.adoptUnowned(self) > 0) {
            LOG.debug("Adopted delivery queues without an owner");
        }
        store.due(self, FairDeliveryScheduler.MAX_WAITING_PER_RECEIVER).forEach(scheduler::offer);
        pollNanos = System.nanoTime() - polledAt;
    }

    private void begin(List<DeliverySlot> next) {
        Map<DeliveryQueue, DeliveryBatch> batches;
        Map<OrganizationId, List<SigningSecret>> keys;
        try {
            batches = store.batches(
                    node.id(), next.stream().map(DeliverySlot::queue).toList());
            keys = secrets.signing(next.stream()
                    .map(slot -> slot.queue().organization())
                    .distinct()
                    .toList());
        } catch (RuntimeException e) {
            next.forEach(scheduler::release);
            throw e;
        }
        for (DeliverySlot slot : next) {
            DeliveryBatch batch = batches.get(slot.queue());
            if (batch == null) {
                scheduler.release(slot); // Closed, paused, or not committed yet.
                continue;
            }
            queued.computeIfPresent(slot.queue(), (_, entry) -> entry.sequence <= batch.lastSequence() ? null : entry);
            List<SigningSecret> signing =
                    batch.ownSecrets().isEmpty() ? keys.get(slot.queue().organization()) : batch.ownSecrets();
            Thread.ofVirtual().name("webhook").start(() -> run(slot, batch, signing == null ? List.of() : signing));
        }
    }

    private void recordSpeed(DeliverySlot slot, boolean slow) {
        budget.charge(1);
        scheduler.recordSpeed(slot.receiver(), slow);
    }

    private void run(DeliverySlot slot, DeliveryBatch batch, List<SigningSecret> signing) {
        boolean more = false;
        try {
            boolean left = worker.run(batch, signing, slow -> recordSpeed(slot, slow), () -> stopping);
            more = left && !stopping;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.debugf("A delivery failed and is retried: %s", e.getMessage());
        } finally {
            if (more) {
                scheduler.requeue(slot);
            } else {
                scheduler.release(slot);
            }
            wake();
        }
    }
}
