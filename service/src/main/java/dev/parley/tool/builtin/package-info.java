/** The tools of the built-in provider. */
@NullMarked
package dev.parley.tool.builtin;

import org.jspecify.annotations.NullMarked;
