package dev.parley.workflow.definition.core.part;

import dev.parley.workflow.definition.core.document.TaskId;

/** Carries the value of an output to an input, and so orders its task after the other. */
public record Connection(TaskId fromTask, String output, TaskId toTask, String input) {}
