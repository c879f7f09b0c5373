/** Filters of data lakes, as definitions state them and queries apply them. */
@NullMarked
package dev.parley.datalake.core;

import org.jspecify.annotations.NullMarked;
