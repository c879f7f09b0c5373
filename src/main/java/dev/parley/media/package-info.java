/** Files of conversations: uploads in three steps, downloads, and what tasks make (specification 2.4.1, 4.4). */
@NullMarked
package dev.parley.media;

import org.jspecify.annotations.NullMarked;
