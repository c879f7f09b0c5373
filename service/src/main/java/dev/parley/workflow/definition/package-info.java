/** Workflow definitions: the agent document as JSON and its JSON Schema. */
@NullMarked
package dev.parley.workflow.definition;

import org.jspecify.annotations.NullMarked;
