/** The journal of AI tasks: the calls that have ended, which no later attempt makes again. */
@NullMarked
package dev.parley.workflow.journal;

import org.jspecify.annotations.NullMarked;
