/** What is done to connections before and besides HTTP: bad HTTP, slow senders, and the end of listening. */
@NullMarked
package dev.parley.http.wire;

import org.jspecify.annotations.NullMarked;
