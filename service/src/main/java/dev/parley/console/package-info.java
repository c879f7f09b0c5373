/** The operator's first contact: the dashboard's pages, the demo organization and the startup banner. */
@NullMarked
package dev.parley.console;

import org.jspecify.annotations.NullMarked;
