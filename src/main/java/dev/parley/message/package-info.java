/** Messages: sent, stored, read, and processed in order within their conversation (specification 2.3, 4.2, 4.3). */
@NullMarked
package dev.parley.message;

import org.jspecify.annotations.NullMarked;
