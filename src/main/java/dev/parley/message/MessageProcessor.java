package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationStore;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.BackgroundThrottle;
import dev.parley.id.ConversationId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeWork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;

/**
 * Processes users' messages: in order within a conversation, conversations side by side. Each conversation with
 * waiting messages has a {@link ConversationWorker} on the node that holds its lease. The message table is the
 * queue: a worker reads waiting messages from it, so a long queue costs no memory, and another node that takes over
 * the lease finds all of them.
 */
@Singleton
public final class MessageProcessor implements NodeWork {
    private static final Logger LOG = Logger.getLogger(MessageProcessor.class);

    /** Conversations whose handlers run at the same moment on this node; the others wait. */
    private static final int MAX_RUNNING_WORKERS = 128;

    /** Messages a second that are processed even when storing new ones is all that the node can do. */
    private static final int MIN_MESSAGES_PER_SECOND = 500;

    private static final long SWEEP_MILLIS = 1_000;
    private static final long SLOW_CHECK_MILLIS = 25;
    private static final int RESUME_INTERVAL_SWEEPS = 2;

    private final ProcessingStore store;
    private final UnannouncedMessageStore unannounced;
    private final ConversationStore conversations;
    private final NodeLease node;
    private final Instance<MessageHandler> handlers;
    private final BackgroundThrottle.Budget budget;
    private final Map<ConversationUsecase, MessageHandler> byUsecase = new EnumMap<>(ConversationUsecase.class);
    private final Map<WorkerKey, ConversationWorker> workers = new ConcurrentHashMap<>();
    private final Set<ConversationWorker> busy = ConcurrentHashMap.newKeySet();
    private final Semaphore running = new Semaphore(MAX_RUNNING_WORKERS);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("message-clock").factory());
    private final AtomicBoolean resuming = new AtomicBoolean();
    private int sweeps;
    private volatile boolean stopping;

    record WorkerKey(OrganizationId organization, ConversationId conversation) {}

    public MessageProcessor(
            ProcessingStore store,
            UnannouncedMessageStore unannounced,
            ConversationStore conversations,
            NodeLease node,
            @Any Instance<MessageHandler> handlers,
            BackgroundThrottle throttle) {
        this.store = store;
        this.unannounced = unannounced;
        this.conversations = conversations;
        this.node = node;
        this.handlers = handlers;
        this.budget = throttle.budget(MIN_MESSAGES_PER_SECOND);
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        node.add(this);
        handlers.forEach(handler -> byUsecase.put(handler.usecase(), handler));
        Gauge.builder("parley.conversation.workers", workers, Map::size)
                .description("Conversations whose messages this node processes or just processed")
                .register(Metrics.globalRegistry);
        Gauge.builder("parley.conversation.workers.waiting", running, Semaphore::getQueueLength)
                .description("Conversations that wait for a free place among those that run")
                .register(Metrics.globalRegistry);
        var _ = clock.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        var _ = clock.scheduleWithFixedDelay(
                this::checkSlow, SLOW_CHECK_MILLIS, SLOW_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void checkSlow() {
        busy.forEach(ConversationWorker::markSlow);
        workers.values().forEach(ConversationWorker::announceLate);
    }

    /** Starts no more messages, and waits up to 5 seconds for those being processed. */
    void stop(@Observes @Priority(100) ShutdownEvent event) {
        stopping = true;
        clock.shutdown();
        workers.values().forEach(ConversationWorker::stop);
        try {
            if (!running.tryAcquire(MAX_RUNNING_WORKERS, 5, TimeUnit.SECONDS)) {
                LOG.info("Some messages are still in hand; the node that takes over processes them again");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The worker for a message that is about to be stored. The caller reports the outcome to it. */
    ConversationWorker worker(ConversationRef conversation) {
        return workers.compute(new WorkerKey(conversation.organization(), conversation.id()), (key, worker) -> {
            NodeId me = node.id();
            boolean usable =
                    worker != null && !worker.isClosed() && worker.owner().equals(me);
            return usable ? worker : new ConversationWorker(this, conversation, me);
        });
    }

    /** Retries the conversation's next message, for example when the instance that it waited for has ended. */
    public void wake(OrganizationId organization, ConversationId conversation) {
        ConversationWorker worker = workers.get(new WorkerKey(organization, conversation));
        if (worker != null) {
            worker.wake();
        }
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        ProcessingStore.adopt(handle, from, to);
    }

    @Override
    public void adopted() {
        store.heldBy(node.id()).forEach(this::resume);
    }

    private void resume(ProcessingStore.WaitingConversation work) {
        Optional<ConversationRef> conversation = conversations.ref(work.organization(), work.conversation());
        conversation.ifPresent(found -> worker(found).resume(work.from()));
    }

    @Override
    public void forget(NodeId was) {
        workers.values().removeIf(worker -> {
            boolean lost = worker.owner().equals(was);
            if (lost) {
                worker.stop();
            }
            return lost;
        });
    }

    /** A worker found that its node id's work is another node's. */
    void fenced(ConversationWorker worker) {
        remove(worker);
        node.fenced(worker.owner());
    }

    ProcessingStore store() {
        return store;
    }

    UnannouncedMessageStore unannounced() {
        return unannounced;
    }

    boolean isStopping() {
        return stopping;
    }

    Semaphore running() {
        return running;
    }

    BackgroundThrottle.Budget budget() {
        return budget;
    }

    /** The workers that run now. */
    Set<ConversationWorker> busy() {
        return busy;
    }

    MessageHandler handler(ConversationUsecase usecase) {
        return Objects.requireNonNull(byUsecase.get(usecase), () -> "no handler for " + usecase);
    }

    void remove(ConversationWorker worker) {
        workers.remove(
                new WorkerKey(
                        worker.conversation().organization(),
                        worker.conversation().id()),
                worker);
    }

    private void sweep() {
        try {
            workers.values().forEach(ConversationWorker::tick);
        } catch (RuntimeException e) {
            LOG.warnf("The sweep of conversations failed: %s", e.getMessage());
        }
        if (++sweeps % RESUME_INTERVAL_SWEEPS == 0 && resuming.compareAndSet(false, true)) {
            Thread.ofVirtual().name("lease-sweep").start(this::resumeUnownedLeases);
        }
    }

    /**
     * Resumes leases of this node without a worker: the database was unavailable after a takeover's commit, or the
     * node got a new id while a message was stored. Other workers get their lease's current version.
     */
    private void resumeUnownedLeases() {
        try {
            for (ProcessingStore.WaitingConversation work : store.heldBy(node.id())) {
                ConversationWorker worker = workers.get(new WorkerKey(work.organization(), work.conversation()));
                if (worker == null) {
                    resume(work);
                } else {
                    worker.onLeaseRead(work);
                }
            }
        } catch (RuntimeException e) {
            LOG.debugf("What was left lying is looked for later: %s", e.getMessage());
        } finally {
            resuming.set(false);
        }
    }
}
