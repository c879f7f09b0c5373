/** Runs user code: child processes, their isolation, and the pool that keeps some of them ready. */
@NullMarked
package dev.parley.workflow.task.coder.sandbox;

import org.jspecify.annotations.NullMarked;
