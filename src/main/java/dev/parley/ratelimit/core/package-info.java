/** The sliding minute, as a pure value. */
@NullMarked
package dev.parley.ratelimit.core;

import org.jspecify.annotations.NullMarked;
