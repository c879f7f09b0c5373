/** Runs one task: resolves what its inputs read at the start, calls its executor, and records the attempt. */
@NullMarked
package dev.parley.workflow.instance.run.task;

import org.jspecify.annotations.NullMarked;
