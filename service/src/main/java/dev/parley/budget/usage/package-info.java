/** The usage of models by model, workflow, API key and day. */
@NullMarked
package dev.parley.budget.usage;

import org.jspecify.annotations.NullMarked;
