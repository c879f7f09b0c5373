/** The HTTP routes of workflow instances. */
@NullMarked
package dev.parley.workflow.instance.api;

import org.jspecify.annotations.NullMarked;
