package dev.parley.message;

import dev.parley.event.Callbacks;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.usage.Metric;
import dev.parley.usage.UsageCounters;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The events of messages, made only for what somebody wants to hear of. A message of a user is told from memory; one
 * that shows its instance's status, or that was changed, is read in the transaction of the change, all of them by one
 * statement.
 */
@Singleton
public final class MessageEvents {
    private final EventLog log;
    private final Callbacks callbacks;
    private final UsageCounters usage;

    public MessageEvents(EventLog log, Callbacks callbacks, UsageCounters usage) {
        this.log = log;
        this.callbacks = callbacks;
        this.usage = usage;
    }

    /** A message that was changed. */
    public record Changed(
            OrganizationId organization,
            ConversationId conversation,
            MessageId id,
            @Nullable WorkflowInstanceId instance) {
        static Changed of(PendingMessage message) {
            return new Changed(
                    message.conversation().organization(),
                    message.conversation().id(),
                    message.id(),
                    null);
        }
    }

    boolean wantsCreated(NewMessage message) {
        return log.wants(message.organization(), message.conversation(), message.instance(), EventType.MESSAGE_CREATED);
    }

    private boolean wantsUpdated(Changed message) {
        return log.wants(message.organization, message.conversation, message.instance, EventType.MESSAGE_UPDATED);
    }

    boolean wantsUpdated(PendingMessage message) {
        return wantsUpdated(Changed.of(message));
    }

    /** A service message as it is stored: with a callback it is delivered when the callback took it (DECISIONS 2). */
    public NewMessage outgoing(NewMessage message) {
        return callbacks.url(message.organization(), message.conversation()).isPresent()
                ? message.withStatus(MessageStatus.PROCESSING)
                : message;
    }

    /** The events of messages that this transaction has stored, in their order. */
    public List<NewEvent> created(Connection tx, List<NewMessage> messages) throws SQLException {
        messages.stream()
                .filter(message -> message.type() != MessageType.USER_INPUT)
                .forEach(message -> usage.add(message.organization(), Metric.MESSAGES_SENT, 1));
        List<NewMessage> wanted = messages.stream().filter(this::wantsCreated).toList();
        Map<MessageId, NewEvent> read = read(
                tx,
                EventType.MESSAGE_CREATED,
                wanted.stream()
                        .filter(message -> !isPlain(message))
                        .map(message -> new Changed(
                                message.organization(), message.conversation(), message.id(), message.instance()))
                        .toList());
        return wanted.stream()
                .map(message -> isPlain(message) ? plain(message) : Objects.requireNonNull(read.get(message.id())))
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
                StrictJson.write(message.stored()));
    }

    /** The events of messages that this transaction has changed, in their order. */
    public List<NewEvent> updated(Connection tx, List<Changed> messages) throws SQLException {
        List<Changed> wanted = messages.stream().filter(this::wantsUpdated).toList();
        Map<MessageId, NewEvent> read = read(tx, EventType.MESSAGE_UPDATED, wanted);
        List<NewEvent> events = new ArrayList<>();
        for (Changed message : wanted) {
            NewEvent event = read.get(message.id);
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    /** Appends events to the log; a transaction does so once, at its end. */
    public void append(Connection tx, List<NewEvent> events) throws SQLException {
        if (!events.isEmpty()) {
            var _ = log.append(tx, events);
        }
    }

    private static Map<MessageId, NewEvent> read(Connection tx, EventType type, List<Changed> messages)
            throws SQLException {
        Map<MessageId, NewEvent> events = new HashMap<>();
        if (messages.isEmpty()) {
            return events;
        }
        try (PreparedStatement statement =
                tx.prepareStatement("SELECT " + MessageRows.COLUMNS + """
                , m.organization_id FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) AS u (organization_id, conversation_id, id)
                JOIN message m ON m.organization_id = u.organization_id AND m.conversation_id = u.conversation_id
                    AND m.id = u.id
                """ + MessageRows.STATUS_JOIN)) {
            statement.setArray(1, uuids(tx, messages, one -> one.organization.value()));
            statement.setArray(2, uuids(tx, messages, one -> one.conversation.value()));
            statement.setArray(3, uuids(tx, messages, one -> one.id.value()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    NewEvent event = event(rows, type);
                    events.put(new MessageId(rows.getObject(1, UUID.class)), event);
                }
            }
        }
        return events;
    }

    private static NewEvent event(ResultSet row, EventType type) throws SQLException {
        Message message = MessageRows.read(row);
        UUID instance = row.getObject(13, UUID.class);
        return new NewEvent(
                new OrganizationId(row.getObject(17, UUID.class)),
                message.conversationId(),
                instance == null ? null : new WorkflowInstanceId(instance),
                type,
                type == EventType.MESSAGE_CREATED ? message.createdAt() : message.updatedAt(),
                StrictJson.write(message));
    }

    private static java.sql.Array uuids(Connection tx, List<Changed> messages, Function<Changed, UUID> column)
            throws SQLException {
        return tx.createArrayOf("uuid", messages.stream().map(column).toArray());
    }
}
