package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.db.BatchInsert;
import dev.parley.event.ConversationCallbacks;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageMetric;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates the events of messages that have subscribers. The event of a new message is built from memory; a message
 * that shows its instance's status, or that was changed, is read in the transaction of the change, many with one
 * statement.
 *
 * <p>The node that processes a conversation writes the events of its users' messages, the first of each together with
 * its first change: two events in one transaction cost half, and clients wait for neither (docs/decisions/0060).
 */
@Singleton
public final class MessageEvents {
    private final EventLog log;
    private final ConversationCallbacks callbacks;
    private final UsageCounters usage;

    public MessageEvents(EventLog log, ConversationCallbacks callbacks, UsageCounters usage) {
        this.log = log;
        this.callbacks = callbacks;
        this.usage = usage;
    }

    /**
     * A message that was changed.
     *
     * @param isPublished whether its message.created event has been written
     * @param trace the context that its events get; null without tracing
     */
    public record ChangedMessage(
            OrganizationId organization,
            ConversationId conversation,
            MessageId id,
            @Nullable WorkflowInstanceId instance,
            boolean isPublished,
            @Nullable String trace) {
        public static ChangedMessage of(PendingMessage message) {
            return new ChangedMessage(
                    message.conversation().organization(),
                    message.conversation().id(),
                    message.id(),
                    null,
                    message.isPublished(),
                    message.trace());
        }
    }

    public boolean hasCreatedSubscribers(NewMessage message) {
        return log.hasSubscribers(
                message.organization(), message.conversation(), message.instance(), EventType.MESSAGE_CREATED);
    }

    private boolean hasSubscribers(ChangedMessage message, EventType type) {
        return log.hasSubscribers(message.organization, message.conversation, message.instance, type);
    }

    private boolean hasSubscribers(ChangedMessage message) {
        return hasSubscribers(message, EventType.MESSAGE_UPDATED) || hasSubscribers(message, EventType.MESSAGE_CREATED);
    }

    /** Whether a user's message has subscribers. */
    public boolean hasSubscribers(PendingMessage message) {
        return hasSubscribers(ChangedMessage.of(message));
    }

    /** Whether new messages of a conversation have subscribers. */
    public boolean hasCreatedSubscribers(ConversationRef conversation) {
        return log.hasSubscribers(conversation.organization(), conversation.id(), null, EventType.MESSAGE_CREATED);
    }

    /** A service message as it is stored: with a callback, it is DELIVERED only after the callback accepted it. */
    public NewMessage outgoing(NewMessage message) {
        return callbacks.url(message.organization(), message.conversation()).isPresent()
                ? message.withStatus(MessageStatus.PROCESSING)
                : message;
    }

    /** The events of messages that this transaction has stored, in their order. */
    public List<NewEvent> created(Connection tx, List<NewMessage> messages) throws SQLException {
        messages.stream()
                .filter(message -> message.type() != MessageType.USER_INPUT)
                .forEach(message -> usage.add(message.organization(), UsageMetric.MESSAGES_SENT, 1));
        List<NewMessage> subscribed =
                messages.stream().filter(this::hasCreatedSubscribers).toList();
        Map<MessageId, MessageRead> read = read(
                tx,
                subscribed.stream()
                        .filter(message -> !isPlain(message))
                        .map(message -> new ChangedMessage(
                                message.organization(),
                                message.conversation(),
                                message.id(),
                                message.instance(),
                                true,
                                message.trace()))
                        .toList());
        return subscribed.stream()
                .map(message -> isPlain(message)
                        ? plain(message)
                        : Objects.requireNonNull(read.get(message.id()))
                                .created()
                                .inTrace(message.trace()))
                .toList();
    }

    private static boolean isPlain(NewMessage message) {
        return message.instance() == null && message.ticket() == null && message.file() == null;
    }

    private static NewEvent plain(NewMessage message) {
        return new NewEvent(
                message.organization(),
                message.conversation(),
                null,
                EventType.MESSAGE_CREATED,
                message.createdAt(),
                StrictJson.write(message.stored()),
                message.trace());
    }

    /** The events of messages that this transaction changed, in order, each after its pending message.created. */
    public List<NewEvent> updated(Connection tx, List<ChangedMessage> messages) throws SQLException {
        List<ChangedMessage> subscribed =
                messages.stream().filter(this::hasSubscribers).toList();
        Map<MessageId, MessageRead> read = read(tx, subscribed);
        List<NewEvent> events = new ArrayList<>();
        for (ChangedMessage message : subscribed) {
            MessageRead row = read.get(message.id);
            if (row != null && !message.isPublished && hasSubscribers(message, EventType.MESSAGE_CREATED)) {
                events.add(row.createdAsStored().inTrace(message.trace));
            }
            if (row != null && hasSubscribers(message, EventType.MESSAGE_UPDATED)) {
                events.add(row.updated().inTrace(message.trace));
            }
        }
        return events;
    }

    /** The message.created events of users' messages that wait. */
    public List<NewEvent> createdAsStored(Connection tx, List<PendingMessage> messages) throws SQLException {
        Map<MessageId, MessageRead> read =
                read(tx, messages.stream().map(ChangedMessage::of).toList());
        return messages.stream()
                .map(message -> Objects.requireNonNull(read.get(message.id()))
                        .createdAsStored()
                        .inTrace(message.trace()))
                .toList();
    }

    /** Appends events to the log; a transaction does so once, at its end. */
    public void append(Connection tx, List<NewEvent> events) throws SQLException {
        if (!events.isEmpty()) {
            var _ = log.append(tx, events);
        }
    }

    /**
     * A message as this transaction sees it.
     *
     * @param stored the message before its first change
     */
    private record MessageRead(
            OrganizationId organization, @Nullable WorkflowInstanceId instance, Message message, Message stored) {
        NewEvent created() {
            return event(EventType.MESSAGE_CREATED, message, message.createdAt(), instance);
        }

        NewEvent updated() {
            return event(EventType.MESSAGE_UPDATED, message, message.updatedAt(), instance);
        }

        NewEvent createdAsStored() {
            return event(EventType.MESSAGE_CREATED, stored, stored.createdAt(), null);
        }

        private NewEvent event(EventType type, Message shown, Instant at, @Nullable WorkflowInstanceId of) {
            return new NewEvent(organization, shown.conversationId(), of, type, at, StrictJson.write(shown));
        }
    }

    private static Map<MessageId, MessageRead> read(Connection tx, List<ChangedMessage> messages) throws SQLException {
        Map<MessageId, MessageRead> found = new HashMap<>();
        if (messages.isEmpty()) {
            return found;
        }
        try (PreparedStatement statement =
                tx.prepareStatement("SELECT " + MessageRows.COLUMNS + """
                , m.organization_id
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) AS u (organization_id, conversation_id, id)
                JOIN message m ON m.organization_id = u.organization_id AND m.conversation_id = u.conversation_id
                    AND m.id = u.id
                """ + MessageRows.STATUS_JOIN)) {
            new BatchInsert<>(statement, 1, messages)
                    .ids(ChangedMessage::organization)
                    .ids(ChangedMessage::conversation)
                    .ids(ChangedMessage::id);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    UUID instance = rows.getObject(13, UUID.class);
                    Message message = MessageRows.read(rows);
                    found.put(
                            message.id(),
                            new MessageRead(
                                    new OrganizationId(rows.getObject(17, UUID.class)),
                                    instance == null ? null : new WorkflowInstanceId(instance),
                                    message,
                                    MessageRows.readStored(rows)));
                }
            }
        }
        return found;
    }
}
