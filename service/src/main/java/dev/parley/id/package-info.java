/** Typed identifiers: one record each, over UUID version 7. */
@NullMarked
package dev.parley.id;

import org.jspecify.annotations.NullMarked;
