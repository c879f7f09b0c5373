/** Workflow definitions: the agent document as JSON and its JSON Schema (specification 2.6; DECISIONS 3). */
@NullMarked
package dev.parley.workflow.definition;

import org.jspecify.annotations.NullMarked;
