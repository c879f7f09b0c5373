/** The event log behind webhooks and server-sent event streams. */
@NullMarked
package dev.parley.event;

import org.jspecify.annotations.NullMarked;
