package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a message. Within a conversation, ids order messages by creation time. */
public record MessageId(UUID value) implements Id, Comparable<MessageId> {
    public static MessageId next() {
        return new MessageId(UuidV7.next());
    }

    /** A new id that is greater than another one, whichever node created that. */
    public static MessageId nextAfter(MessageId other) {
        MessageId next = next();
        return next.compareTo(other) > 0 ? next : other.successor();
    }

    /** The smallest greater id. */
    public MessageId successor() {
        return new MessageId(UuidV7.successor(value));
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<MessageId> parse(String text) {
        return UuidV7.parse(text).map(MessageId::new);
    }

    /** PostgreSQL's order: unsigned bytes. */
    @Override
    public int compareTo(MessageId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return text();
    }
}
