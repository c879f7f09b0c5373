package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an email to one recipient. */
public record MailId(UUID value) implements Id {
    public static MailId next() {
        return new MailId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<MailId> parse(String text) {
        return UuidV7.parse(text).map(MailId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
