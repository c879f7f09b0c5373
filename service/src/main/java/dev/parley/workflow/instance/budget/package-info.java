/** Continues instances that a budget has stopped. */
@NullMarked
package dev.parley.workflow.instance.budget;

import org.jspecify.annotations.NullMarked;
