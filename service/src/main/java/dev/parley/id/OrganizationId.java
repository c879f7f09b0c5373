package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an organization: the tenant that owns every other row. */
public record OrganizationId(UUID value) implements Id {
    public static OrganizationId next() {
        return new OrganizationId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<OrganizationId> parse(String text) {
        return UuidV7.parse(text).map(OrganizationId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
