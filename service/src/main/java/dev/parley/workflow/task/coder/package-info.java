/** Coder tasks: the catalogue of code artifacts, and the executor that runs their code in the sandbox. */
@NullMarked
package dev.parley.workflow.task.coder;

import org.jspecify.annotations.NullMarked;
