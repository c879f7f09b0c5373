/** Connections below the level of requests: malformed HTTP, slow senders and readers, and closing the listener. */
@NullMarked
package dev.parley.http.wire;

import org.jspecify.annotations.NullMarked;
