/** Rules for file metadata: types, names, URLs, ranges. */
@NullMarked
package dev.parley.media.core;

import org.jspecify.annotations.NullMarked;
