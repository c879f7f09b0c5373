/** The agent document as values, and every rule about it, without input or output (specification 2.6). */
@NullMarked
package dev.parley.workflow.definition.core;

import org.jspecify.annotations.NullMarked;
