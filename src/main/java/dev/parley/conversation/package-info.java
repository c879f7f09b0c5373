/** Conversations: chat sessions, tied to a workflow or not. */
@NullMarked
package dev.parley.conversation;

import org.jspecify.annotations.NullMarked;
