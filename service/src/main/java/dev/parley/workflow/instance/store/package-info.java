/** Workflow instances in PostgreSQL: their rows, their log of deltas, and the JSON of both. */
@NullMarked
package dev.parley.workflow.instance.store;

import org.jspecify.annotations.NullMarked;
