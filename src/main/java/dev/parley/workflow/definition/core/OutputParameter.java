package dev.parley.workflow.definition.core;

/**
 * An output of a task (specification 2.6, "Output parameter").
 *
 * @param name required for basic types; a file output that gives none is called {@code file}
 */
public record OutputParameter(String name, OutputType type, String description) {
    /** The name of a file output that gives none. */
    public static final String DEFAULT_FILE_NAME = "file";
}
