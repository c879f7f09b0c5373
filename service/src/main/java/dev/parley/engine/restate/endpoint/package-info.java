/** The HTTP endpoint that Restate calls, and the definitions of its handlers. */
@NullMarked
package dev.parley.engine.restate.endpoint;

import org.jspecify.annotations.NullMarked;
