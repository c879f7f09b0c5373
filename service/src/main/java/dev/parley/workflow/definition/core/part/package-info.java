/** The parts of workflows that are the same for every kind of task. */
@NullMarked
package dev.parley.workflow.definition.core.part;

import org.jspecify.annotations.NullMarked;
