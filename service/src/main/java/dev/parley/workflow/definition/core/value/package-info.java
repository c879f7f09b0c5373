/** The parameters of tasks, their types, and the rules for values. */
@NullMarked
package dev.parley.workflow.definition.core.value;

import org.jspecify.annotations.NullMarked;
