/** Strict JSON of bodies, and JSON in columns. */
@NullMarked
package dev.parley.http.json;

import org.jspecify.annotations.NullMarked;
