/** The providers of an organization and their tools, as they are stored. */
@NullMarked
package dev.parley.tool.catalog;

import org.jspecify.annotations.NullMarked;
