/** Every metric of the service, with its documentation. */
@NullMarked
package dev.parley.metrics;

import org.jspecify.annotations.NullMarked;
