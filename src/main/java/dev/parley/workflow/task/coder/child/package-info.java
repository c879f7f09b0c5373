/** The program in which user code runs: a process of its own, which has this package and the language, and no more. */
@NullMarked
package dev.parley.workflow.task.coder.child;

import org.jspecify.annotations.NullMarked;
