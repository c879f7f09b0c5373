/** The program in which user code runs: a separate process with only this package and the language. */
@NullMarked
package dev.parley.workflow.task.coder.child;

import org.jspecify.annotations.NullMarked;
