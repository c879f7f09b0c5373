/** Where user code runs: child processes, the layers around them, and the pool that keeps some of them ready. */
@NullMarked
package dev.parley.workflow.task.coder.sandbox;

import org.jspecify.annotations.NullMarked;
