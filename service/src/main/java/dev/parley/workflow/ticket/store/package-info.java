/** Tickets as values and rows. */
@NullMarked
package dev.parley.workflow.ticket.store;

import org.jspecify.annotations.NullMarked;
