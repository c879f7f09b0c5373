/** The emails of an organization as the API returns them. */
@NullMarked
package dev.parley.mail.archive;

import org.jspecify.annotations.NullMarked;
