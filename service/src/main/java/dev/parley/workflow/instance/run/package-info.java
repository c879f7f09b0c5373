/** Running workflow instances: the engine port, and what all engines share. */
@NullMarked
package dev.parley.workflow.instance.run;

import org.jspecify.annotations.NullMarked;
