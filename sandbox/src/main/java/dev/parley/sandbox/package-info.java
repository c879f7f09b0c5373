/** The program in which user code runs: a separate process with only this package and the language. */
@NullMarked
package dev.parley.sandbox;

import org.jspecify.annotations.NullMarked;
