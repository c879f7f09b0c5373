package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies one run of the service's process: a node gets a new id when it restarts or was fenced. */
public record NodeId(UUID value) implements Id {
    public static NodeId next() {
        return new NodeId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<NodeId> parse(String text) {
        return UuidV7.parse(text).map(NodeId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
