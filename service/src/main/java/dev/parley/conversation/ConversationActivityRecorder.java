package dev.parley.conversation;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.node.Ticker;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Records the newest message of conversations, by which the dashboard orders them. Storing a message only notes its id
 * in memory; a killed node loses the notes of its last second, and the next message of a conversation corrects its place.
 */
@Singleton
public final class ConversationActivityRecorder {
    private static final Logger LOG = Logger.getLogger(ConversationActivityRecorder.class);
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** Until its statement has ended, no message of these conversations is stored. */
    private static final int MAX_BATCH_SIZE = 100;

    private static final String UPDATE = """
            UPDATE conversation c SET last_message_id = a.message_id
            FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) AS a (organization_id, conversation_id, message_id)
            WHERE c.organization_id = a.organization_id AND c.id = a.conversation_id
              AND coalesce(c.last_message_id, c.id) < a.message_id
            """;

    private record Activity(ConversationKey key, MessageId newest) {}

    private final Database database;
    private final Map<ConversationKey, MessageId> newest = new ConcurrentHashMap<>();
    private final Ticker timer = new Ticker("conversation-activity");

    public ConversationActivityRecorder(Database database) {
        this.database = database;
    }

    void start(@Observes @Priority(30) StartupEvent event) {
        timer.every(FLUSH_INTERVAL, this::flush);
    }

    void stop(@Observes @Priority(200) ShutdownEvent event) {
        timer.close();
        flush();
    }

    /** Notes a stored message. */
    public void add(OrganizationId organization, ConversationId conversation, MessageId message) {
        newest.merge(new ConversationKey(organization, conversation), message, ConversationActivityRecorder::newer);
    }

    private static MessageId newer(MessageId one, MessageId other) {
        return one.value().compareTo(other.value()) < 0 ? other : one;
    }

    /** Writes what this node noted; after a failure it is written later. */
    public synchronized void flush() {
        List<Activity> batch = new ArrayList<>();
        for (ConversationKey key : List.copyOf(newest.keySet())) {
            MessageId message = newest.remove(key);
            if (message != null) {
                batch.add(new Activity(key, message));
            }
        }
        // In the order of all statements that lock several conversations.
        batch.sort(Comparator.comparing(one -> one.key.conversation().value()));
        for (int from = 0; from < batch.size(); from += MAX_BATCH_SIZE) {
            write(batch.subList(from, Math.min(from + MAX_BATCH_SIZE, batch.size())));
        }
    }

    private void write(List<Activity> batch) {
        try {
            int _ = database.<Integer>jdbc(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
                    new BatchInsert<>(statement, 1, batch)
                            .ids(one -> one.key.organization())
                            .ids(one -> one.key.conversation())
                            .ids(Activity::newest);
                    return statement.executeUpdate();
                }
            });
        } catch (RuntimeException e) {
            LOG.debugf("Cannot write the activity of conversations; retrying: %s", e.getMessage());
            batch.forEach(one -> add(one.key.organization(), one.key.conversation(), one.newest));
        }
    }
}
