/** The rate limit for messages, shared by all nodes. */
@NullMarked
package dev.parley.ratelimit;

import org.jspecify.annotations.NullMarked;
