/** The agent document as values, and all rules about it. No input or output. */
@NullMarked
package dev.parley.workflow.definition.core;

import org.jspecify.annotations.NullMarked;
