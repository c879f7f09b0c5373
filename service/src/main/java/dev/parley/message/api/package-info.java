/** The routes of messages, and the service that accepts them. */
@NullMarked
package dev.parley.message.api;

import org.jspecify.annotations.NullMarked;
