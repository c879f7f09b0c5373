/** What an instance is started with: the plan of its tasks, and the data of its trigger. */
@NullMarked
package dev.parley.workflow.instance.core.plan;

import org.jspecify.annotations.NullMarked;
