/** Every error that the API answers: one enum of kinds, one exception, one list of faults. */
@NullMarked
package dev.parley.problem;

import org.jspecify.annotations.NullMarked;
