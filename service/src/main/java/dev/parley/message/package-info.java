/** Messages: sending, storing, reading, and processing them in order within their conversation. */
@NullMarked
package dev.parley.message;

import org.jspecify.annotations.NullMarked;
