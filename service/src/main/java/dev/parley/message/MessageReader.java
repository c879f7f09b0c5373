package dev.parley.message;

import dev.parley.db.Database;
import dev.parley.http.Page;
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
 * Reads messages by primary key only, so that a page costs the same in a conversation of ten messages and of ten
 * million.
 */
@Singleton
public final class MessageReader {
    private static final UUID NEWEST = new UUID(-1L, -1L);

    /** A page ends early if its texts exceed this many bytes: a thousand of the largest would fill the heap. */
    private static final int PAGE_BYTES = 4 << 20;

    private static final String NEWEST_FIRST = "SELECT " + MessageRows.COLUMNS + """
            , m.found
            FROM (
                SELECT p.*, count(*) OVER () AS found,
                    sum(coalesce(octet_length(p.content), 0)) OVER (ORDER BY p.id DESC)
                        - coalesce(octet_length(p.content), 0) AS newer
                FROM (
                    SELECT * FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND id < ?
                    ORDER BY id DESC LIMIT ?
                ) p
            ) m
            """ + MessageRows.STATUS_JOIN + """
            WHERE m.newer < ?
            ORDER BY m.id DESC
            """;

    private static final int FOUND = 17;

    private final Database database;

    public MessageReader(Database database) {
        this.database = database;
    }

    /**
     * Messages, newest first, older than {@code after} if given: at most {@code limit}, fewer if they are large, but at
     * least one if there is one. {@code next} is null on the last page.
     */
    public Page<Message> page(
            OrganizationId organization, ConversationId conversation, @Nullable MessageId after, int limit) {
        return page(organization, conversation, after, limit, PAGE_BYTES);
    }

    /** Same, with the page's size limit in bytes, which its last message may exceed. */
    public Page<Message> page(
            OrganizationId organization,
            ConversationId conversation,
            @Nullable MessageId after,
            int limit,
            int maxBytes) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(NEWEST_FIRST)) {
                statement.setObject(1, organization.value());
                statement.setObject(2, conversation.value());
                statement.setObject(3, after == null ? NEWEST : after.value());
                statement.setInt(4, limit + 1);
                statement.setInt(5, maxBytes);
                List<Message> messages = new ArrayList<>(Math.min(limit, 64));
                boolean more = false;
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next() && messages.size() < limit) {
                        messages.add(MessageRows.read(rows));
                        more = rows.getInt(FOUND) > messages.size();
                    }
                }
                return new Page<>(messages, more ? messages.getLast().id().text() : null);
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
