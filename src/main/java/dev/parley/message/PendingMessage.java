package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import java.util.List;
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
    /** What a model reads: the text, and a note of the file. */
    public String note() {
        return FileNote.text(content, file);
    }

    /** What a workflow reads: the text, or else the file's URI. */
    public String input() {
        return file != null && text().isEmpty() ? FileNote.uri(file) : text();
    }

    /** The S3-style URIs of the message's files. */
    public List<String> fileUris() {
        return file == null ? List.of() : List.of(FileNote.uri(file));
    }

    /** What the user wrote; empty for a media message without text. */
    public String text() {
        return content == null ? "" : content;
    }
}
