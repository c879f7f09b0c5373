/** The resource usage of task attempts. */
@NullMarked
package dev.parley.workflow.attempt.core;

import org.jspecify.annotations.NullMarked;
