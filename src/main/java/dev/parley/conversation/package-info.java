/** Conversations: chat sessions, tied to a workflow or not (specification 2.2, 4.1). */
@NullMarked
package dev.parley.conversation;

import org.jspecify.annotations.NullMarked;
