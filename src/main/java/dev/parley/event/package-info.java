/** What happened, in order and told live: the event log that webhooks and server-sent streams stand on. */
@NullMarked
package dev.parley.event;

import org.jspecify.annotations.NullMarked;
