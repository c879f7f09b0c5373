/** The e-mails of an organization, as its admins see them. */
@NullMarked
package dev.parley.mail.dashboard;

import org.jspecify.annotations.NullMarked;
