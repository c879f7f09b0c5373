/** Rules of what comes in, for whoever is pure too. */
@NullMarked
package dev.parley.http.core;

import org.jspecify.annotations.NullMarked;
