/** The limit of messages per minute, over all nodes (specification 8). */
@NullMarked
package dev.parley.ratelimit;

import org.jspecify.annotations.NullMarked;
