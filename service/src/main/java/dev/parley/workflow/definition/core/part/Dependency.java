package dev.parley.workflow.definition.core.part;

import dev.parley.workflow.definition.core.document.TaskId;

/** Orders a task after another without carrying a value. */
public record Dependency(TaskId from, TaskId to) {}
