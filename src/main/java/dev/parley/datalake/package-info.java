/** Tables of an organization that workflows read: its data lakes. */
@NullMarked
package dev.parley.datalake;

import org.jspecify.annotations.NullMarked;
