/** The limit of messages per minute, over all nodes. */
@NullMarked
package dev.parley.ratelimit;

import org.jspecify.annotations.NullMarked;
