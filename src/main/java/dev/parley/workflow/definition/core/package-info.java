/** The agent document as values, and every rule about it, without input or output. */
@NullMarked
package dev.parley.workflow.definition.core;

import org.jspecify.annotations.NullMarked;
