/** Serves the metrics, those that need the database included, also on a port of their own. */
@NullMarked
package dev.parley.monitoring;

import org.jspecify.annotations.NullMarked;
