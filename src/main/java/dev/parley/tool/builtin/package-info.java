/** The tools that every organization has. */
@NullMarked
package dev.parley.tool.builtin;

import org.jspecify.annotations.NullMarked;
