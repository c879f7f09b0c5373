/** What the sandbox uses of the operating system: programs, priorities and user ids. */
@NullMarked
package dev.parley.workflow.task.coder.sandbox.host;

import org.jspecify.annotations.NullMarked;
