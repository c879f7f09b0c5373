/** This process as one of several on the same database: its lease, and the work that it adopts from dead nodes. */
@NullMarked
package dev.parley.node;

import org.jspecify.annotations.NullMarked;
