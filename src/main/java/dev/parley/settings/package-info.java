/** The settings of the service: one environment variable each, read and checked once at the start. */
@NullMarked
package dev.parley.settings;

import org.jspecify.annotations.NullMarked;
