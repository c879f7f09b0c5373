/** The usage of organizations, counted by the hour for the dashboard's overview. */
@NullMarked
package dev.parley.usage;

import org.jspecify.annotations.NullMarked;
