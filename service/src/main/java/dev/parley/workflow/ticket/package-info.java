/** Tickets: the work items that people get for Human tasks, missing inputs and exceptions. */
@NullMarked
package dev.parley.workflow.ticket;

import org.jspecify.annotations.NullMarked;
