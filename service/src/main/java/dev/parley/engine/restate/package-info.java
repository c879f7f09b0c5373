/** The engine on Restate: each instance is a virtual object, and PostgreSQL has a projection of it. */
@NullMarked
package dev.parley.engine.restate;

import org.jspecify.annotations.NullMarked;
