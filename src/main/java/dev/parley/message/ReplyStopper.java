package dev.parley.message;

import dev.parley.db.Database;
import dev.parley.event.NotificationListener;
import dev.parley.id.ConversationId;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Stops the reply that the chat model is writing in a conversation, on whichever node that is. */
@Singleton
final class ReplyStopper implements NotificationListener {
    private final Database database;
    private final ConcurrentMap<String, RunningReply> running = new ConcurrentHashMap<>();

    /** Conversations whose next reply waits for the model, and whether it was stopped. */
    private final ConcurrentMap<String, Boolean> waiting = new ConcurrentHashMap<>();

    ReplyStopper(Database database) {
        this.database = database;
    }

    /** A call of the chat model. */
    interface ModelCall {
        ChatReply reply() throws ChatModelException, InterruptedException;
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
    Optional<ChatReply> call(ConversationId conversation, ModelCall model)
            throws ChatModelException, InterruptedException {
        var reply = new RunningReply();
        running.put(conversation.text(), reply);
        try {
            ChatReply answer = model.reply();
            return reply.end() ? Optional.empty() : Optional.of(answer);
        } catch (ChatModelException | InterruptedException e) {
            if (reply.end()) {
                return Optional.empty();
            }
            throw e;
        } finally {
            running.remove(conversation.text(), reply);
            boolean _ = reply.end();
        }
    }

    /** Called when a reply waits for the model; a stop then ends it at the next attempt. */
    void awaitModel(ConversationId conversation) {
        waiting.putIfAbsent(conversation.text(), false);
    }

    /** Whether a waiting reply was stopped. */
    boolean isStopped(ConversationId conversation) {
        return waiting.getOrDefault(conversation.text(), false);
    }

    /** Called when a reply no longer waits. */
    void endWait(ConversationId conversation) {
        waiting.remove(conversation.text());
    }

    /** Stops the reply of a conversation, if there is one. */
    void stop(ConversationId conversation) {
        database.change(handle -> handle.createQuery("SELECT pg_notify(:channel, :conversation)")
                .bind("channel", channel())
                .bind("conversation", conversation.text())
                .mapTo(String.class)
                .one());
    }

    @Override
    public String channel() {
        return "parley_reply_stops";
    }

    @Override
    public void onNotification(String conversation) {
        waiting.replace(conversation, false, true);
        RunningReply reply = running.get(conversation);
        if (reply != null) {
            reply.stop();
        }
    }
}
