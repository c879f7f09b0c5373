/** E-mails: the outbox that they are written to with the change they tell of, and their way to the SMTP server. */
@NullMarked
package dev.parley.mail;

import org.jspecify.annotations.NullMarked;
