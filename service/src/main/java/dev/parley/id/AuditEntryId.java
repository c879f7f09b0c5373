package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an entry of an organization's audit log. */
public record AuditEntryId(UUID value) implements Id {
    public static AuditEntryId next() {
        return new AuditEntryId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<AuditEntryId> parse(String text) {
        return UuidV7.parse(text).map(AuditEntryId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
