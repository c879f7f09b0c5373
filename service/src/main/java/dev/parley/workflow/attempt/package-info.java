/** The record of each task attempt: prompts, answers, tool calls and cost. */
@NullMarked
package dev.parley.workflow.attempt;

import org.jspecify.annotations.NullMarked;
