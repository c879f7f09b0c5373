package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a workflow, called an {@code agent} in the dashboard. */
public record WorkflowId(UUID value) implements Id {
    public static WorkflowId next() {
        return new WorkflowId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<WorkflowId> parse(String text) {
        return UuidV7.parse(text).map(WorkflowId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
