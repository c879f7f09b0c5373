package dev.parley.workflow.task;

import dev.parley.workflow.attempt.core.PendingToolCall;

/** The task waits until a person has decided on a tool call; its executor then continues with a new attempt. */
public record ApprovalRequest(PendingToolCall call) implements TaskOutcome {}
