package dev.parley.workflow.definition.core;

/**
 * An output of a task.
 *
 * @param name required for basic types; a file output that gives none is called {@code file}, the next one of the task
 *     {@code file_2}, and so on, without names that others of its outputs have
 */
public record OutputParameter(String name, OutputType type, String description) {}
