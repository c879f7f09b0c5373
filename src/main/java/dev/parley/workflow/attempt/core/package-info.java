/** What attempts of tasks use, as a value that rules reckon with. */
@NullMarked
package dev.parley.workflow.attempt.core;

import org.jspecify.annotations.NullMarked;
