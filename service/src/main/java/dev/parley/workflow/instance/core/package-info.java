/** Every rule of a running workflow as one pure function, {@link dev.parley.workflow.instance.core.Transition}. */
@NullMarked
package dev.parley.workflow.instance.core;

import org.jspecify.annotations.NullMarked;
