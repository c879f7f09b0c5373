package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a message (specification 2.3). Within a conversation, ids order messages by the time they were made. */
public record MessageId(UUID value) implements Id {
    public static MessageId next() {
        return new MessageId(Uuids.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<MessageId> parse(String text) {
        return Uuids.parse(text).map(MessageId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
