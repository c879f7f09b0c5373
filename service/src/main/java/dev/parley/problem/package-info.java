/** All errors of the API: one enum of kinds, one exception, one list of violations. */
@NullMarked
package dev.parley.problem;

import org.jspecify.annotations.NullMarked;
