package dev.parley.message;

import dev.parley.db.BatchInsert;
import dev.parley.http.json.RawJson;
import dev.parley.http.json.Rfc3339;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes messages in batches, and reads them with the status of their instance. */
public final class MessageRows {
    /** Inserts all bound rows; a condition or a join may follow. Its parameters are bound by {@link #bind}. */
    public static final String INSERT_SELECT = """
            INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, filename, metadata,
                file, status, workflow_instance_id, ticket_id, created_by, created_at, updated_at, trace_context)
            SELECT r.organization_id, r.conversation_id, r.id, r.type, r.content_type, r.content, r.filename, r.metadata,
                r.file, r.status, r.workflow_instance_id, r.ticket_id, r.created_by, r.created_at, r.created_at,
                r.trace_context
            FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[], ?::text[], ?::uuid[], ?::uuid[], ?::text[], ?::timestamptz[], ?::text[])
                AS r (organization_id, conversation_id, id, type, content_type, content, filename, metadata, file,
                    status, workflow_instance_id, ticket_id, created_by, created_at, trace_context)
            """;

    /** What {@link #read} reads, from {@code message m} with {@link #STATUS_JOIN}. */
    public static final String COLUMNS = """
            m.id, m.conversation_id, m.content, m.content_type, m.filename, m.type, m.status, m.metadata, m.created_by,
            m.created_at, m.updated_at, m.file, m.workflow_instance_id, m.ticket_id, s.status, s.updated_at
            """;

    public static final String STATUS_JOIN = """
            LEFT JOIN message_instance_status s
                ON s.organization_id = m.organization_id AND s.workflow_instance_id = m.workflow_instance_id
            """;

    private MessageRows() {}

    /** Inserts new messages. */
    public static void insert(Connection connection, List<NewMessage> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT_SELECT)) {
            bind(statement, 1, rows);
            statement.executeUpdate();
        }
    }

    /** Binds the rows as arrays from the parameter {@code first} on; returns the next parameter. */
    public static int bind(PreparedStatement statement, int first, List<NewMessage> rows) throws SQLException {
        return new BatchInsert<>(statement, first, rows)
                .ids(NewMessage::organization)
                .ids(NewMessage::conversation)
                .ids(NewMessage::id)
                .texts(row -> row.type().name())
                .texts(NewMessage::contentType)
                .texts(NewMessage::content)
                .texts(NewMessage::filename)
                .texts(NewMessage::metadata)
                .texts(NewMessage::file)
                .texts(row -> row.status().name())
                .ids(NewMessage::instance)
                .ids(NewMessage::ticket)
                .texts(NewMessage::createdBy)
                .times(NewMessage::createdAt)
                .texts(NewMessage::trace)
                .next();
    }

    /**
     * Messages of one conversation with ids that follow its newest message, which a node with a clock that is ahead may
     * have stored.
     */
    public static List<NewMessage> afterNewest(Connection connection, List<NewMessage> messages) throws SQLException {
        NewMessage first = messages.getFirst();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT id FROM message WHERE organization_id = ? AND conversation_id = ? AND id > ?
                ORDER BY id DESC LIMIT 1
                """)) {
            statement.setObject(1, first.organization().value());
            statement.setObject(2, first.conversation().value());
            statement.setObject(3, first.id().value());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return messages;
                }
                MessageId newest = new MessageId(row.getObject(1, UUID.class));
                List<NewMessage> renumbered = new ArrayList<>();
                for (NewMessage message : messages) {
                    NewMessage next = message.after(newest);
                    newest = next.id();
                    renumbered.add(next);
                }
                return renumbered;
            }
        }
    }

    /** Reads a row of {@link #COLUMNS}. */
    public static Message read(ResultSet row) throws SQLException {
        Instant updated = time(row, 11);
        UUID instance = row.getObject(13, UUID.class);
        String instanceStatus = row.getString(15);
        Instant statusUpdated = instanceStatus == null ? null : time(row, 16);
        if (statusUpdated != null && statusUpdated.isAfter(updated)) {
            updated = statusUpdated;
        }
        RawJson metadata = metadata(
                row.getString(8),
                row.getString(12),
                instance,
                row.getObject(14, UUID.class),
                instanceStatus,
                statusUpdated);
        return message(row, MessageStatus.valueOf(row.getString(7)), metadata, updated);
    }

    /** Reads a row of {@link #COLUMNS} of a user's message as it was when it was stored, before any change. */
    static Message readStored(ResultSet row) throws SQLException {
        RawJson metadata = metadata(row.getString(8), row.getString(12), null, null, null, null);
        return message(row, MessageStatus.RECEIVED, metadata, time(row, 10));
    }

    private static Message message(ResultSet row, MessageStatus status, RawJson metadata, Instant updated)
            throws SQLException {
        return new Message(
                new MessageId(row.getObject(1, UUID.class)),
                new ConversationId(row.getObject(2, UUID.class)),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                MessageType.valueOf(row.getString(6)),
                "API",
                status,
                metadata,
                row.getString(9),
                time(row, 10),
                updated);
    }

    /** The client's object with the areas that the service manages behind it. */
    static RawJson metadata(
            @Nullable String client,
            @Nullable String file,
            @Nullable UUID instance,
            @Nullable UUID ticket,
            @Nullable String instanceStatus,
            @Nullable Instant statusUpdated) {
        if (file == null && instance == null && ticket == null) {
            return client == null ? RawJson.EMPTY_OBJECT : new RawJson(client);
        }
        var json = new StringBuilder(client == null ? "{}" : client);
        json.setLength(json.length() - 1);
        if (instanceStatus != null && statusUpdated != null) {
            member(json, "workflow_instance_status", '"' + instanceStatus + '"');
        }
        if (instance != null) {
            member(json, "workflow_instance_id", '"' + dev.parley.id.UuidV7.text(instance) + '"');
        }
        if (instanceStatus != null && statusUpdated != null) {
            member(json, "workflow_instance_status_updated_at", '"' + Rfc3339.text(statusUpdated) + '"');
        }
        if (file != null) {
            member(json, "file", file);
        }
        if (ticket != null) {
            member(json, "ticket_id", '"' + dev.parley.id.UuidV7.text(ticket) + '"');
        }
        return new RawJson(json.append('}').toString());
    }

    private static void member(StringBuilder json, String name, String value) {
        if (json.length() > 1) {
            json.append(',');
        }
        json.append('"').append(name).append("\":").append(value);
    }

    private static Instant time(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
