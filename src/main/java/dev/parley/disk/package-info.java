/** Files that are needed for a while, and what becomes of them when the process that needed them is killed. */
@NullMarked
package dev.parley.disk;

import org.jspecify.annotations.NullMarked;
