/** Emails: the outbox, filled in the transactions of changes, and delivery to the SMTP server. */
@NullMarked
package dev.parley.mail;

import org.jspecify.annotations.NullMarked;
