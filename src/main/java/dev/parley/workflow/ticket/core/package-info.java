/** The states of a ticket and who may move it, without input or output. */
@NullMarked
package dev.parley.workflow.ticket.core;

import org.jspecify.annotations.NullMarked;
