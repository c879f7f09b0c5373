/** The texts that models are writing, and how they reach the live streams of all nodes. */
@NullMarked
package dev.parley.event.delta;

import org.jspecify.annotations.NullMarked;
