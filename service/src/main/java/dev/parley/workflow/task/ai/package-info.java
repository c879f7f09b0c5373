/** AI tasks: the chat model, constrained to the task's outputs. */
@NullMarked
package dev.parley.workflow.task.ai;

import org.jspecify.annotations.NullMarked;
