/** Connections below the level of requests: malformed HTTP, slow senders and readers, and the end of listening. */
@NullMarked
package dev.parley.http.wire;

import org.jspecify.annotations.NullMarked;
