package dev.parley.workflow.definition.core.value;

/**
 * An output of a task.
 *
 * @param name required for basic types. Unnamed file outputs are called {@code file}, {@code file_2} and so on,
 *     skipping names that other outputs of the task use
 */
public record OutputParameter(String name, OutputType type, String description) {}
