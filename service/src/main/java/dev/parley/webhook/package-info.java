/** Webhooks: the outbox of deliveries, signing and sending, and the endpoints and secrets of organizations. */
@NullMarked
package dev.parley.webhook;

import org.jspecify.annotations.NullMarked;
