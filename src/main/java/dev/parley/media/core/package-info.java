/** The rules of files without their bytes: types, names, URLs, ranges. */
@NullMarked
package dev.parley.media.core;

import org.jspecify.annotations.NullMarked;
