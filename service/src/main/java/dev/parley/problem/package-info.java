/** All errors of the API: kinds and codes, one exception, one list of violations. */
@NullMarked
package dev.parley.problem;

import org.jspecify.annotations.NullMarked;
