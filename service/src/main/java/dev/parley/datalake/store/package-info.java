/** Data lakes as rows and tables of PostgreSQL. */
@NullMarked
package dev.parley.datalake.store;

import org.jspecify.annotations.NullMarked;
