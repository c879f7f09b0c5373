package dev.parley.message;

import dev.parley.db.BatchInsert;
import dev.parley.event.CallbackResultListener;
import dev.parley.event.Event;
import dev.parley.event.EventType;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.message.MessageEvents.ChangedMessage;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Sets the status of service messages by the response of their conversation's callback: DELIVERED on
 * its 2xx, FAILED when it was given up. Only the delivery of {@code message.created} counts, and only once: a message
 * that has its last status is left alone, so that the {@code message.updated} which this writes ends the matter. It
 * may be reported twice, also by a fenced node: the first report wins.
 */
@Singleton
public final class CallbackMessageStatus implements CallbackResultListener {
    /** How the data of a message begins: its id is the first member. */
    private static final String ID = "{\"id\":\"";

    private static final int ID_LENGTH = 32;

    private final MessageEvents events;

    public CallbackMessageStatus(MessageEvents events) {
        this.events = events;
    }

    @Override
    public void delivered(Connection tx, List<Event> published) throws SQLException {
        set(tx, published, MessageStatus.DELIVERED);
    }

    @Override
    public void failed(Connection tx, List<Event> published) throws SQLException {
        set(tx, published, MessageStatus.FAILED);
    }

    private void set(Connection tx, List<Event> published, MessageStatus status) throws SQLException {
        List<Event> created = published.stream()
                .filter(event -> event.type() == EventType.MESSAGE_CREATED
                        && event.conversation() != null
                        && message(event).isPresent())
                .toList();
        if (created.isEmpty()) {
            return;
        }
        List<ChangedMessage> changed = new ArrayList<>();
        try (PreparedStatement statement = tx.prepareStatement("""
                UPDATE message m SET status = ?, updated_at = GREATEST(now(), m.created_at)
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) AS u (organization_id, conversation_id, id)
                WHERE m.organization_id = u.organization_id AND m.conversation_id = u.conversation_id AND m.id = u.id
                  AND m.type <> 'USER_INPUT' AND m.status IN ('RECEIVED', 'PROCESSING')
                RETURNING m.organization_id, m.conversation_id, m.id, m.workflow_instance_id
                """)) {
            statement.setString(1, status.name());
            new BatchInsert<>(statement, 2, created)
                    .ids(Event::organization)
                    .ids(Event::conversation)
                    .uuids(event -> message(event).orElseThrow());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    UUID instance = rows.getObject(4, UUID.class);
                    changed.add(new ChangedMessage(
                            new OrganizationId(rows.getObject(1, UUID.class)),
                            new ConversationId(rows.getObject(2, UUID.class)),
                            new MessageId(rows.getObject(3, UUID.class)),
                            instance == null ? null : new WorkflowInstanceId(instance),
                            true,
                            null));
                }
            }
        }
        events.append(tx, events.updated(tx, changed));
    }

    private static Optional<UUID> message(Event event) {
        String data = event.data();
        int end = ID.length() + ID_LENGTH;
        return data.startsWith(ID) && data.length() > end
                ? UuidV7.parse(data.substring(ID.length(), end))
                : Optional.empty();
    }
}
