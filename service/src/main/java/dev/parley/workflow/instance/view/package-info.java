/** Workflow instances as the API shows them. */
@NullMarked
package dev.parley.workflow.instance.view;

import org.jspecify.annotations.NullMarked;
