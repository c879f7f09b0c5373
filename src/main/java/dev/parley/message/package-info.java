/** Messages: sent, stored, read, and processed in order within their conversation. */
@NullMarked
package dev.parley.message;

import org.jspecify.annotations.NullMarked;
