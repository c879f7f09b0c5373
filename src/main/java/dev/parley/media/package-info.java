/** Files of conversations: uploads in three steps, downloads, and what tasks make. */
@NullMarked
package dev.parley.media;

import org.jspecify.annotations.NullMarked;
