/** Pages, statistics and rows of data lakes: filters, and the queries that they become. */
@NullMarked
package dev.parley.datalake.read;

import org.jspecify.annotations.NullMarked;
