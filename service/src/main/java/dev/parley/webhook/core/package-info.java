/** The rules for retrying webhooks. */
@NullMarked
package dev.parley.webhook.core;

import org.jspecify.annotations.NullMarked;
