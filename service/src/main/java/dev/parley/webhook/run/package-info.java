/** The outbox of deliveries, and the workers that send them. */
@NullMarked
package dev.parley.webhook.run;

import org.jspecify.annotations.NullMarked;
