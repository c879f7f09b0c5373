/** Emails and reminders of tickets. */
@NullMarked
package dev.parley.workflow.ticket.mail;

import org.jspecify.annotations.NullMarked;
