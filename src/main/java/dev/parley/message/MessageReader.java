package dev.parley.message;

import dev.parley.db.Database;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages by their primary key alone, so that a page costs the same in a conversation of ten messages and of ten
 * million.
 */
@Singleton
public final class MessageReader {
    private static final UUID NEWEST = new UUID(-1L, -1L);

    private static final String NEWEST_FIRST =
            "SELECT " + MessageRows.COLUMNS + " FROM message m " + MessageRows.STATUS_JOIN + """
            WHERE m.organization_id = ? AND m.conversation_id = ? AND m.id < ?
            ORDER BY m.id DESC LIMIT ?
            """;

    private final Database database;

    public MessageReader(Database database) {
        this.database = database;
    }

    /** At most {@code limit} messages, newest first, older than {@code after} where that is given. */
    public List<Message> newestFirst(
            OrganizationId organization, ConversationId conversation, @Nullable MessageId after, int limit) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(NEWEST_FIRST)) {
                statement.setObject(1, organization.value());
                statement.setObject(2, conversation.value());
                statement.setObject(3, after == null ? NEWEST : after.value());
                statement.setInt(4, limit);
                List<Message> messages = new ArrayList<>(Math.min(limit, 64));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        messages.add(MessageRows.read(rows));
                    }
                }
                return messages;
            }
        });
    }

    /** One message of a conversation. */
    public Optional<Message> find(OrganizationId organization, ConversationId conversation, MessageId id) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + MessageRows.COLUMNS
                    + " FROM message m " + MessageRows.STATUS_JOIN
                    + " WHERE m.organization_id = ? AND m.conversation_id = ? AND m.id = ?")) {
                statement.setObject(1, organization.value());
                statement.setObject(2, conversation.value());
                statement.setObject(3, id.value());
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? Optional.of(MessageRows.read(rows)) : Optional.empty();
                }
            }
        });
    }
}
