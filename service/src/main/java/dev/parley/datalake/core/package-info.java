/** Filters of data lakes, in definitions and in queries. */
@NullMarked
package dev.parley.datalake.core;

import org.jspecify.annotations.NullMarked;
