/** What workflows refer to, and which workflows refer to a thing. */
@NullMarked
package dev.parley.workflow.definition.reference;

import org.jspecify.annotations.NullMarked;
