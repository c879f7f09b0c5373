package dev.parley.message;

import dev.parley.http.json.RawJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.media.StoredFile;
import dev.parley.trace.Tracing;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message before it is stored.
 *
 * @param metadata the client's JSON object as compact text; null for none
 * @param file the {@code file} area as JSON text; null for none
 * @param trace the context of the span that it comes from; null without tracing
 */
public record NewMessage(
        OrganizationId organization,
        ConversationId conversation,
        MessageId id,
        MessageType type,
        String contentType,
        @Nullable String content,
        @Nullable String filename,
        @Nullable String metadata,
        @Nullable String file,
        MessageStatus status,
        @Nullable WorkflowInstanceId instance,
        @Nullable TicketId ticket,
        String createdBy,
        @Nullable String trace) {

    /** A user's text message, as POST /messages stores it. */
    public static NewMessage userText(
            OrganizationId organization,
            ConversationId conversation,
            String content,
            @Nullable String metadata,
            String createdBy) {
        return new NewMessage(
                organization,
                conversation,
                MessageId.next(),
                MessageType.USER_INPUT,
                "TEXT",
                content,
                null,
                metadata,
                null,
                MessageStatus.RECEIVED,
                null,
                null,
                createdBy,
                Tracing.context());
    }

    /** The same message with a file. */
    public NewMessage withFile(StoredFile stored) {
        String caption = content == null || content.isEmpty() ? null : content;
        return new NewMessage(
                organization,
                conversation,
                id,
                type,
                stored.messageType(),
                caption,
                stored.filename(),
                metadata,
                stored.json(),
                status,
                instance,
                ticket,
                createdBy,
                trace);
    }

    /** A text message of the service, stored as DELIVERED; {@link MessageEvents#outgoing} handles callbacks. */
    public static NewMessage serviceText(
            OrganizationId organization,
            ConversationId conversation,
            MessageType type,
            String content,
            @Nullable WorkflowInstanceId instance,
            @Nullable TicketId ticket,
            String createdBy) {
        return new NewMessage(
                organization,
                conversation,
                MessageId.next(),
                type,
                "TEXT",
                content,
                null,
                null,
                null,
                MessageStatus.DELIVERED,
                instance,
                ticket,
                createdBy,
                Tracing.context());
    }

    /** The same message with metadata, which must be a compact JSON object. */
    public NewMessage withMetadata(String json) {
        return with(id, json, status, trace);
    }

    /** A notice of the service about a user's message. */
    public static NewMessage notice(PendingMessage about, NoticeCode code, String text, Map<String, String> params) {
        return serviceText(
                        about.conversation().organization(),
                        about.conversation().id(),
                        MessageType.SYSTEM,
                        text,
                        null,
                        null,
                        "system")
                .withMetadata(code.metadata(params));
    }

    public NewMessage withId(MessageId other) {
        return with(other, metadata, status, trace);
    }

    /** The same message with an id greater than another one, whose node's clock may be ahead. */
    public NewMessage after(MessageId other) {
        return id.compareTo(other) > 0 ? this : withId(MessageId.nextAfter(other));
    }

    NewMessage withStatus(MessageStatus other) {
        return with(id, metadata, other, trace);
    }

    private NewMessage with(
            MessageId newId, @Nullable String newMetadata, MessageStatus newStatus, @Nullable String newTrace) {
        return new NewMessage(
                organization,
                conversation,
                newId,
                type,
                contentType,
                content,
                filename,
                newMetadata,
                file,
                newStatus,
                instance,
                ticket,
                createdBy,
                newTrace);
    }

    /** The same message in another trace. */
    public NewMessage inTrace(@Nullable String context) {
        return with(id, metadata, status, context);
    }

    /** Its size in memory, in characters. */
    public long weight() {
        return (content == null ? 0L : content.length()) + (metadata == null ? 0L : metadata.length());
    }

    /** The time in its id, so that the order by time is the order by id. */
    public Instant createdAt() {
        return UuidV7.time(id.value());
    }

    /** The message in the API right after it was stored. */
    public Message stored() {
        Instant at = createdAt();
        return new Message(
                id,
                conversation,
                content,
                contentType,
                filename,
                type,
                "API",
                status,
                file == null && metadata == null
                        ? RawJson.EMPTY_OBJECT
                        : MessageRows.metadata(metadata, file, null, null, null, null),
                createdBy,
                at,
                at);
    }
}
