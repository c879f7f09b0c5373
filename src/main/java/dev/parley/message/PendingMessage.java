package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A user's message whose turn it is.
 *
 * @param owner the node under whose lease it is processed: what is written for it must be fenced by that id
 * @param file the {@code file} area as JSON text; null for a text message
 */
public record PendingMessage(
        ConversationRef conversation,
        MessageId id,
        NodeId owner,
        String contentType,
        @Nullable String content,
        @Nullable String file) {
    /** What the user wrote; empty for a media message without text. */
    public String text() {
        return content == null ? "" : content;
    }
}
