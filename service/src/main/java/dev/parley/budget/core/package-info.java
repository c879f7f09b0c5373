/** The owner and the estimate of a call, and the exception that refuses it. */
@NullMarked
package dev.parley.budget.core;

import org.jspecify.annotations.NullMarked;
