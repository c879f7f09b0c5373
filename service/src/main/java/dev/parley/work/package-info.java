/** The runtime for ordered, leased work: one serial worker per key, on the node that owns the key. */
@NullMarked
package dev.parley.work;

import org.jspecify.annotations.NullMarked;
