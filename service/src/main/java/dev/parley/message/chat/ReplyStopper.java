package dev.parley.message.chat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.conversation.ConversationRef;
import dev.parley.db.Database;
import dev.parley.event.NotificationListener;
import dev.parley.id.MessageId;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Stops the reply that the chat model is writing in a conversation, on whichever node that is. A stop names the message
 * that is answered, so it never concerns the reply to another.
 */
@Singleton
final class ReplyStopper implements NotificationListener {
    /** Longer than a message waits between two attempts to answer it. */
    private static final Duration KEPT_FOR = Duration.ofMinutes(10);

    private final Database database;
    private final ConcurrentMap<String, RunningReply> running = new ConcurrentHashMap<>();

    /** The messages of all nodes whose reply was stopped, which may wait for the model. */
    private final Cache<String, Boolean> stopped =
            Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(KEPT_FOR).build();

    ReplyStopper(Database database) {
        this.database = database;
    }

    /** A call of the chat model. */
    interface ModelCall {
        ChatReply reply() throws ChatModelException, BudgetExceededException, InterruptedException;
    }

    /** The thread of a call. The lock keeps a late stop from interrupting what the thread does next. */
    private static final class RunningReply {
        private final Thread thread = Thread.currentThread();
        private boolean stopped;
        private boolean ended;

        synchronized void stop() {
            if (!ended) {
                stopped = true;
                thread.interrupt();
            }
        }

        /** Returns whether the call was stopped. Afterwards it cannot be, and the thread is not interrupted by a stop. */
        synchronized boolean end() {
            ended = true;
            if (stopped) {
                boolean _ = Thread.interrupted();
            }
            return stopped;
        }
    }

    /**
     * Calls the chat model; empty if the reply was stopped.
     *
     * @throws InterruptedException if the node stops or was fenced
     */
    Optional<ChatReply> call(MessageId message, ModelCall model)
            throws ChatModelException, BudgetExceededException, InterruptedException {
        var reply = new RunningReply();
        running.put(message.text(), reply);
        try {
            if (isStopped(message)) {
                return Optional.empty();
            }
            ChatReply answer = model.reply();
            return reply.end() ? Optional.empty() : Optional.of(answer);
        } catch (ChatModelException | InterruptedException e) {
            if (reply.end()) {
                return Optional.empty();
            }
            throw e;
        } finally {
            running.remove(message.text(), reply);
            boolean _ = reply.end();
        }
    }

    /** Whether the reply to a message was stopped while it waited for the model. */
    boolean isStopped(MessageId message) {
        return stopped.getIfPresent(message.text()) != null;
    }

    /** Called when the message of a stopped reply ends. */
    void forget(MessageId message) {
        stopped.invalidate(message.text());
    }

    /**
     * Stops the reply to the message that is being answered, if there is one: the last that is PROCESSING, because the
     * results of those before it may not be stored yet, or else the first that waits.
     */
    void stop(ConversationRef conversation) {
        database.change(handle -> handle.select("""
                        SELECT m.id FROM conversation_lease l
                        JOIN message m ON m.organization_id = l.organization_id
                          AND m.conversation_id = l.conversation_id AND m.id >= l.from_message
                        WHERE l.organization_id = ? AND l.conversation_id = ?
                          AND m.type = 'USER_INPUT' AND m.status IN ('RECEIVED', 'PROCESSING')
                        ORDER BY m.status = 'PROCESSING' DESC, CASE m.status WHEN 'PROCESSING' THEN m.id END DESC, m.id
                        LIMIT 1
                        """, conversation.organization(), conversation.id())
                .mapTo(MessageId.class)
                .findOne()
                .ifPresent(message -> handle.select("SELECT pg_notify(?, ?)", channel(), message.text())
                        .mapTo(String.class)
                        .one()));
    }

    @Override
    public String channel() {
        return "parley_reply_stops";
    }

    @Override
    public void onNotification(String message) {
        stopped.put(message, true);
        RunningReply reply = running.get(message);
        if (reply != null) {
            reply.stop();
        }
    }
}
