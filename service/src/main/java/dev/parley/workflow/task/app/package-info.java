/** App tasks: a tool of the organization's catalogue, mapped to the task's outputs. */
@NullMarked
package dev.parley.workflow.task.app;

import org.jspecify.annotations.NullMarked;
