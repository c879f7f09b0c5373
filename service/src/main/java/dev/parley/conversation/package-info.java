/** Conversations: chat sessions, optionally bound to a workflow. */
@NullMarked
package dev.parley.conversation;

import org.jspecify.annotations.NullMarked;
