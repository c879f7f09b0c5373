/** This process among others on the same database: its lease, and what it takes over from nodes that died. */
@NullMarked
package dev.parley.node;

import org.jspecify.annotations.NullMarked;
