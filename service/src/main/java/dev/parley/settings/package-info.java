/** The settings of the service, one environment variable each, validated once at startup. */
@NullMarked
package dev.parley.settings;

import org.jspecify.annotations.NullMarked;
