/** The states of a ticket and the rules for changing them. No input or output. */
@NullMarked
package dev.parley.workflow.ticket.core;

import org.jspecify.annotations.NullMarked;
