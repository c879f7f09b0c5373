/** Workflow instances: stored, run and shown; the rules are in {@code core}. */
@NullMarked
package dev.parley.workflow.instance;

import org.jspecify.annotations.NullMarked;
