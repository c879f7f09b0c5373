/** The constraints of request bodies, and their violations. */
@NullMarked
package dev.parley.http.constraint;

import org.jspecify.annotations.NullMarked;
