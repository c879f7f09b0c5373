/** Executes tasks: a port, with one executor for each kind of task. */
@NullMarked
package dev.parley.workflow.task;

import org.jspecify.annotations.NullMarked;
