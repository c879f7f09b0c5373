/** Pure rules for input, usable by other cores. */
@NullMarked
package dev.parley.http.core;

import org.jspecify.annotations.NullMarked;
