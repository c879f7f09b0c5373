/** The sliding window of one minute, as an immutable value. */
@NullMarked
package dev.parley.ratelimit.core;

import org.jspecify.annotations.NullMarked;
