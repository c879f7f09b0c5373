/** The port through which providers are asked and called, with the values that pass it. */
@NullMarked
package dev.parley.tool.source;

import org.jspecify.annotations.NullMarked;
