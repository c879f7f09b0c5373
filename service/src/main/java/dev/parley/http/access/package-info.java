/** Who calls a route, and who may. */
@NullMarked
package dev.parley.http.access;

import org.jspecify.annotations.NullMarked;
