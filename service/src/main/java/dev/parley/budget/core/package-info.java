/** What callers of budgets pass and catch. */
@NullMarked
package dev.parley.budget.core;

import org.jspecify.annotations.NullMarked;
