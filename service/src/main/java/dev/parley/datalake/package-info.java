/** Data lakes: tables of an organization that workflows read. */
@NullMarked
package dev.parley.datalake;

import org.jspecify.annotations.NullMarked;
