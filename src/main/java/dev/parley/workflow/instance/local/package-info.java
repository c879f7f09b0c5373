/** The engine on PostgreSQL: instances run on the node that holds them, and survive it. */
@NullMarked
package dev.parley.workflow.instance.local;

import org.jspecify.annotations.NullMarked;
