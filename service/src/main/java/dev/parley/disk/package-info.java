/** Temporary files, and their clean-up after the process that used them was killed. */
@NullMarked
package dev.parley.disk;

import org.jspecify.annotations.NullMarked;
