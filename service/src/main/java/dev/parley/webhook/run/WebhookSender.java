package dev.parley.webhook.run;

import dev.parley.db.BackgroundThrottle;
import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import dev.parley.work.KeyWorker;
import dev.parley.work.LeasedWork;
import dev.parley.work.NextRun;
import dev.parley.work.WorkLimits;
import dev.parley.work.WorkSettings;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs the delivery queues of this node, each until it is empty; the sweep finds retries and queues that exceeded the
 * memory limit. Deliveries are sent at least once: a node that dies between the response and its recording leaves the
 * delivery to be sent again.
 */
@Singleton
public final class WebhookSender {
    /** Deliveries per second that two cores send even under overload. */
    private static final int MIN_PER_SECOND = 500;

    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(500);

    private final DeliveryWorker worker;
    private final BackgroundThrottle.Budget budget;
    private final LeasedWork<DeliveryQueue, KeyWorker> work;

    public WebhookSender(
            DeliveryQueueStore store,
            DeliveryWorker worker,
            NodeLease node,
            BackgroundThrottle throttle,
            ServiceSize size) {
        this.worker = worker;
        this.budget = throttle.budget(size.byCores(MIN_PER_SECOND));
        var settings = new WorkSettings("webhook", limits(size), SWEEP_INTERVAL, Optional.empty(), budget::tryBegin);
        this.work = new LeasedWork<>(settings, node, store, (queue, owner) -> () -> run(queue, owner));
    }

    /** A slow or unavailable receiver occupies only its own places, and an organization at most a third of them. */
    static WorkLimits limits(ServiceSize size) {
        return new WorkLimits(
                size.byCoresAndHeap(600), size.byCoresAndHeap(200), 32, 8, size.byHeap(20_000), size.byHeap(2_000));
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        work.start();
    }

    void stop(@Observes @Priority(100) ShutdownEvent event) {
        work.stop();
    }

    /** Called within the transaction that queues deliveries: they are sent right after its commit. */
    public void queued(DeliveryQueue queue, String receiver) {
        Database.afterCommit(() -> work.wake(queue, queue.group(receiver)));
    }

    private NextRun run(DeliveryQueue queue, NodeId owner) throws InterruptedException {
        return worker.run(queue, owner, work, budget);
    }
}
