/** Files of conversations: uploads in three steps, downloads, and files made by tasks. */
@NullMarked
package dev.parley.media;

import org.jspecify.annotations.NullMarked;
