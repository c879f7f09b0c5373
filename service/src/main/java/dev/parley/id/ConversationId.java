package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a conversation. */
public record ConversationId(UUID value) implements Id {
    public static ConversationId next() {
        return new ConversationId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<ConversationId> parse(String text) {
        return UuidV7.parse(text).map(ConversationId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
