package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an attempt of a task; ids are ordered by the start of the attempts. */
public record TaskAttemptId(UUID value) implements Id {
    public static TaskAttemptId next() {
        return new TaskAttemptId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<TaskAttemptId> parse(String text) {
        return UuidV7.parse(text).map(TaskAttemptId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
