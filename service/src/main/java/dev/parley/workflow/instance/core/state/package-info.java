/** The state of an instance and its tasks, and the changes of it. */
@NullMarked
package dev.parley.workflow.instance.core.state;

import org.jspecify.annotations.NullMarked;
