/** Budgets of organizations, API keys and workflows: reserved before each call of a model and settled after it. */
@NullMarked
package dev.parley.budget;

import org.jspecify.annotations.NullMarked;
