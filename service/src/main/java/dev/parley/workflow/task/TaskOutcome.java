package dev.parley.workflow.task;

/** What an execution of a task led to, other than a failure. */
public sealed interface TaskOutcome permits TaskResult, TaskWait, ApprovalRequest {}
