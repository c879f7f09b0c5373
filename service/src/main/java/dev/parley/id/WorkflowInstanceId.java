package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies one run of one version of a workflow. */
public record WorkflowInstanceId(UUID value) implements Id {
    public static WorkflowInstanceId next() {
        return new WorkflowInstanceId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<WorkflowInstanceId> parse(String text) {
        return UuidV7.parse(text).map(WorkflowInstanceId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
