/** The signing secrets of organizations. */
@NullMarked
package dev.parley.webhook.secret;

import org.jspecify.annotations.NullMarked;
