package dev.parley.workflow.definition.core;

/** Orders a task after another without carrying a value. */
public record Dependency(TaskId from, TaskId to) {}
