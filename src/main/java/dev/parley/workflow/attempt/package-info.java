/** What was done in each attempt of a task: what a model was asked and answered, which tools it called, what it cost. */
@NullMarked
package dev.parley.workflow.attempt;

import org.jspecify.annotations.NullMarked;
