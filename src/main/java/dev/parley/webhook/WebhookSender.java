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
    private static final int LEAST_PER_SECOND = 500;

    private static final long POLL_INTERVAL_NANOS = Duration.ofMillis(500).toNanos();

    /** Also applies after a poll that waited for an unavailable database: retries must not wait ten times as long. */
    private static final long LONGEST_LOOK_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    /** The usual time until the commit of queued deliveries. */
    private static final long COMMIT_NANOS = Duration.ofMillis(4).toNanos();

    /** How long a queueing transaction may stay uncommitted and still be sent at once after its commit. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long LAST_WORDS_MILLIS = 3_000;

    private final DeliveryQueueStore store;
    private final WebhookSecrets secrets;
    private final DeliveryWorker runs;
    private final NodeLease node;
    private final BackgroundThrottle precedence;
    private final BackgroundThrottle.Budget share;
    private final FairDeliveryScheduler turns = new FairDeliveryScheduler();
    private final Map<DeliveryQueue, Queued> queued = new ConcurrentHashMap<>();
    private volatile boolean stopping;
    private volatile @Nullable Thread thread;
    private long lookedAt = System.nanoTime() - POLL_INTERVAL_NANOS;
    private long looking;

    /**
     * Deliveries queued by this node.
     *
     * @param since when they were queued
     * @param look when to check for their commit
     */
    private record Queued(DeliveryReceiver receiver, long sequence, long since, long look) {
        /** Checks again after as long as it has waited: the transaction may be slow or rolled back. */
        Queued later(long now) {
            return new Queued(receiver, sequence, since, now + (now - since));
        }

        Queued with(Queued next) {
            return new Queued(receiver, Math.max(sequence, next.sequence), next.since, Math.min(look, next.look));
        }
    }

    public WebhookSender(
            DeliveryQueueStore store,
            WebhookSecrets secrets,
            DeliveryWorker runs,
            NodeLease node,
            BackgroundThrottle precedence) {
        this.store = store;
        this.secrets = secrets;
        this.runs = runs;
        this.node = node;
        this.precedence = precedence;
        this.share = precedence.budget(LEAST_PER_SECOND);
    }

    void start(@Observes @Priority(15) StartupEvent event) {
        Gauge.builder("parley.webhook.lanes.waiting", turns, FairDeliveryScheduler::waiting)
                .description("Conversations and receivers whose webhooks wait for a place on this node")
                .register(Metrics.globalRegistry);
        Gauge.builder("parley.webhook.lanes.sending", turns, FairDeliveryScheduler::running)
                .description("Conversations and receivers to which this node sends right now")
                .register(Metrics.globalRegistry);
        thread = Thread.ofPlatform().daemon().name("webhook-sender").start(this::run);
    }

    /** Starts no more deliveries, and waits briefly for those in progress. */
    void stop(@Observes @Priority(100) ShutdownEvent event) {
        stopping = true;
        wake();
        long deadline = System.nanoTime() + Duration.ofMillis(LAST_WORDS_MILLIS).toNanos();
        while (turns.running() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Called when deliveries are queued by a transaction that has not committed yet. */
    void queued(DeliveryQueue lane, DeliveryReceiver receiver, long sequence) {
        long now = System.nanoTime();
        var one = new Queued(receiver, sequence, now, now + COMMIT_NANOS);
        if (queued.merge(lane, one, Queued::with).equals(one)) {
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
    public void forget(NodeId was) {
        queued.clear();
    }

    private void run() {
        while (!stopping) {
            try {
                if (!step()) {
                    LockSupport.parkNanos(queued.isEmpty() ? POLL_INTERVAL_NANOS / 2 : COMMIT_NANOS);
                }
            } catch (RuntimeException e) {
                LOG.warnf("Webhooks are sent a little later: %s", e.getMessage());
                LockSupport.parkNanos(POLL_INTERVAL_NANOS);
            }
        }
    }

    /** Starts some queues; false if there is nothing to do until the next event. */
    private boolean step() {
        offerQueued();
        long sinceLook = System.nanoTime() - lookedAt;
        // A poll that finds many queues is slow; polling may use a tenth of the time.
        if (sinceLook > Math.clamp(10 * looking, POLL_INTERVAL_NANOS, LONGEST_LOOK_PAUSE_NANOS)
                || turns.hasRoomAgain()) {
            look();
        }
        if (share.mustWait()) {
            return false;
        }
        List<DeliverySlot> next = turns.take(precedence.isBusy() ? OVERLOAD_BATCH : BATCH);
        if (next.isEmpty()) {
            return false;
        }
        begin(next);
        return true;
    }

    private void offerQueued() {
        long now = System.nanoTime();
        queued.forEach((lane, one) -> {
            if (now - one.look < 0) {
                return;
            }
            if (!turns.offer(lane, one.receiver) || now - one.since > PATIENCE_NANOS) {
                queued.remove(lane, one);
            } else {
                queued.replace(lane, one, one.later(now));
            }
        });
    }

    private void look() {
        lookedAt = System.nanoTime();
        NodeId me = node.id();
        while (store.takeUnowned(me) > 0) {
            LOG.debug("Took over webhooks without an owner");
        }
        store.due(me, FairDeliveryScheduler.WAITING_OF_RECEIVER).forEach(turns::offer);
        looking = System.nanoTime() - lookedAt;
    }

    private void begin(List<DeliverySlot> next) {
        Map<DeliveryQueue, DeliveryBatch> work;
        Map<OrganizationId, List<SigningSecret>> keys;
        try {
            work = store.work(node.id(), next.stream().map(DeliverySlot::lane).toList());
            keys = secrets.signing(next.stream()
                    .map(turn -> turn.lane().organization())
                    .distinct()
                    .toList());
        } catch (RuntimeException e) {
            next.forEach(turns::end);
            throw e;
        }
        for (DeliverySlot turn : next) {
            DeliveryBatch mine = work.get(turn.lane());
            if (mine == null) {
                turns.end(turn); // Closed, paused, or not committed yet.
                continue;
            }
            queued.computeIfPresent(turn.lane(), (_, one) -> one.sequence <= mine.lastSequence() ? null : one);
            List<SigningSecret> signing =
                    mine.ownSecrets().isEmpty() ? keys.get(turn.lane().organization()) : mine.ownSecrets();
            Thread.ofVirtual().name("webhook").start(() -> run(turn, mine, signing == null ? List.of() : signing));
        }
    }

    private void measured(DeliverySlot turn, boolean slow) {
        share.charge(1);
        turns.measured(turn.receiver(), slow);
    }

    private void run(DeliverySlot turn, DeliveryBatch work, List<SigningSecret> signing) {
        boolean more = false;
        try {
            boolean left = runs.run(work, signing, slow -> measured(turn, slow), () -> stopping);
            more = left && !stopping;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.debugf("A webhook is sent again later: %s", e.getMessage());
        } finally {
            if (more) {
                turns.again(turn);
            } else {
                turns.end(turn);
            }
            wake();
        }
    }
}
