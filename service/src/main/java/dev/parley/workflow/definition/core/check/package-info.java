/** Reads and validates the agent document as a whole, and makes its JSON Schema. */
@NullMarked
package dev.parley.workflow.definition.core.check;

import org.jspecify.annotations.NullMarked;
