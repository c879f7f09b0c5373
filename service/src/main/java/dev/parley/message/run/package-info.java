/** Stores messages and processes them, one worker per conversation. */
@NullMarked
package dev.parley.message.run;

import org.jspecify.annotations.NullMarked;
