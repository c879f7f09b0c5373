package dev.parley.message.run;

import dev.parley.conversation.ConversationCache;
import dev.parley.conversation.ConversationKey;
import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.BackgroundThrottle;
import dev.parley.id.ConversationId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.message.MessageHandler;
import dev.parley.node.NodeLease;
import dev.parley.node.Ticker;
import dev.parley.settings.ServiceSize;
import dev.parley.work.LeasedWork;
import dev.parley.work.OwnedKey;
import dev.parley.work.WorkGroup;
import dev.parley.work.WorkLimits;
import dev.parley.work.WorkSettings;
import dev.parley.work.WorkStore;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Processes users' messages: in order within a conversation, conversations side by side. Each conversation with
 * waiting messages has a {@link ConversationWorker} on the node that holds its lease. The message table is the
 * queue: a worker reads waiting messages from it, so a long queue costs no memory, and another node that takes over
 * the lease finds all of them.
 */
@Singleton
public final class MessageProcessor implements WorkStore<ConversationKey> {
    /**
     * Conversations whose handlers run at the same moment on a node of the smallest size; one organization has at most
     * three quarters.
     */
    private static final int MAX_RUNNING_WORKERS = 128;

    private static final int MAX_RUNNING_WORKERS_PER_ORGANIZATION = 96;

    /** Messages a second that two cores process even when storing new ones is all that the node can do. */
    private static final int MIN_MESSAGES_PER_SECOND = 500;

    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(2);
    private static final Duration IDLE_RELEASE = Duration.ofSeconds(2);
    private static final Duration SLOW_CHECK_INTERVAL = Duration.ofMillis(25);

    private final ProcessingStore store;
    private final ConversationCache conversations;
    private final Instance<MessageHandler> handlers;
    private final BackgroundThrottle.Budget budget;
    private final LeasedWork<ConversationKey, ConversationWorker> work;
    private final Map<ConversationUsecase, MessageHandler> byUsecase = new EnumMap<>(ConversationUsecase.class);
    private final Ticker ticker = new Ticker("slow-messages");

    public MessageProcessor(
            ProcessingStore store,
            ConversationCache conversations,
            NodeLease node,
            @Any Instance<MessageHandler> handlers,
            BackgroundThrottle throttle,
            ServiceSize size) {
        this.store = store;
        this.conversations = conversations;
        this.handlers = handlers;
        this.budget = throttle.budget(size.byCores(MIN_MESSAGES_PER_SECOND));
        var settings = new WorkSettings(
                "message",
                WorkLimits.running(
                        size.byCoresAndHeap(MAX_RUNNING_WORKERS),
                        size.byCoresAndHeap(MAX_RUNNING_WORKERS_PER_ORGANIZATION)),
                SWEEP_INTERVAL,
                Optional.of(IDLE_RELEASE),
                budget::tryBegin);
        this.work = new LeasedWork<>(settings, node, this, (key, owner) -> new ConversationWorker(this, key, owner));
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        handlers.forEach(handler -> byUsecase.put(handler.usecase(), handler));
        work.start();
        ticker.every(SLOW_CHECK_INTERVAL, () -> work.forEach(ConversationWorker::checkSlow));
    }

    /** Starts no more messages, and waits for those being processed. */
    void stop(@Observes @Priority(100) ShutdownEvent event) {
        ticker.close();
        work.stop();
    }

    /** The worker for a message that is about to be stored. The caller reports the outcome to it. */
    public LeasedWork<ConversationKey, ConversationWorker>.PinnedWorker pin(ConversationRef conversation) {
        return work.pin(
                new ConversationKey(conversation.organization(), conversation.id()),
                WorkGroup.of(conversation.organization()));
    }

    /** Retries the conversation's next message, for example when the instance that it waited for has ended. */
    public void wake(OrganizationId organization, ConversationId conversation) {
        var key = new ConversationKey(organization, conversation);
        work.find(key).ifPresent(worker -> worker.inbox().readNow());
        work.wakeIfPresent(key);
    }

    @Override
    public List<OwnedKey<ConversationKey>> due(NodeId node) {
        return store.heldBy(node).stream()
                .map(held -> new OwnedKey<>(
                        new ConversationKey(held.organization(), held.conversation()),
                        WorkGroup.of(held.organization()),
                        held.version()))
                .toList();
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        ProcessingStore.adopt(handle, from, to);
    }

    ConversationRef conversation(OrganizationId organization, ConversationId id) {
        return conversations
                .ref(organization, id)
                .orElseThrow(() -> new IllegalStateException("conversation " + id + " does not exist"));
    }

    ProcessingStore store() {
        return store;
    }

    BackgroundThrottle.Budget budget() {
        return budget;
    }

    MessageHandler handler(ConversationUsecase usecase) {
        return Objects.requireNonNull(byUsecase.get(usecase), () -> "no handler for " + usecase);
    }
}
