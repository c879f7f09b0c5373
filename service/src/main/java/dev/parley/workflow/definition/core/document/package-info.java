/** The agent document as JSON: properties, their schemas, and violations with their places. */
@NullMarked
package dev.parley.workflow.definition.core.document;

import org.jspecify.annotations.NullMarked;
