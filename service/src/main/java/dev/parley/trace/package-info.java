/** Traces of OpenTelemetry, off unless an endpoint for them is configured: the current span, and contexts as stored. */
@NullMarked
package dev.parley.trace;

import org.jspecify.annotations.NullMarked;
