package dev.parley.workflow.definition.core.document;

/** The id of a task within its definition: {@code [a-z0-9_-]{1,64}}. */
public record TaskId(String value) implements Comparable<TaskId> {
    /** A regular expression for the whole id, valid in Java and in JSON Schema. */
    public static final String PATTERN = "^[a-z0-9_-]{1,64}$";

    @Override
    public int compareTo(TaskId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
