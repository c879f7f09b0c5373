/** The tool catalogue of an organization: providers, their tools, and the only way to call a tool. */
@NullMarked
package dev.parley.tool;

import org.jspecify.annotations.NullMarked;
