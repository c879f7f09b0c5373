package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.ApiKeyId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user's message that is due for processing.
 *
 * @param owner the node id under which it is processed, which fences every write for it
 * @param file the {@code file} area as JSON text; null for a text message
 * @param apiKey the key that sent it; null for a user
 * @param isPublished whether its message.created event has been written
 * @param trace the context of the span that stored or processes it; null without tracing
 */
public record PendingMessage(
        ConversationRef conversation,
        MessageId id,
        NodeId owner,
        String contentType,
        @Nullable String content,
        @Nullable String file,
        @Nullable ApiKeyId apiKey,
        boolean isPublished,
        @Nullable String trace) {
    public PendingMessage published() {
        return new PendingMessage(conversation, id, owner, contentType, content, file, apiKey, true, trace);
    }

    /** The same message, whose events belong to another span. */
    public PendingMessage inTrace(@Nullable String context) {
        return new PendingMessage(conversation, id, owner, contentType, content, file, apiKey, isPublished, context);
    }

    /** The input of a model: the text, and a note about the file. */
    public String note() {
        return FileNote.text(content, file);
    }

    /** The input of a workflow: the text, or else the file's URI. */
    public String input() {
        return file != null && text().isEmpty() ? FileNote.uri(file) : text();
    }

    /** The S3-style URIs of the message's files. */
    public List<String> fileUris() {
        return file == null ? List.of() : List.of(FileNote.uri(file));
    }

    /** The user's text; empty for a media message without text. */
    public String text() {
        return content == null ? "" : content;
    }
}
