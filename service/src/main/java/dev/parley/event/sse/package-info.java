/** Server-sent event streams. */
@NullMarked
package dev.parley.event.sse;

import org.jspecify.annotations.NullMarked;
