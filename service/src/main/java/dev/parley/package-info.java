/** Parley, the workflow conversation and messaging service: its entry point and its settings. */
@NullMarked
package dev.parley;

import org.jspecify.annotations.NullMarked;
