/** Replies of the chat model in DEFAULT conversations. */
@NullMarked
package dev.parley.message.chat;

import org.jspecify.annotations.NullMarked;
