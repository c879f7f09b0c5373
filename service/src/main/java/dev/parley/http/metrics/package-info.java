/** The Prometheus metrics. */
@NullMarked
package dev.parley.http.metrics;

import org.jspecify.annotations.NullMarked;
