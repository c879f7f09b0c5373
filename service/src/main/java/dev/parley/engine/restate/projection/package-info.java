/** The copy of instances in PostgreSQL, which the routes read and waiting callers poll. */
@NullMarked
package dev.parley.engine.restate.projection;

import org.jspecify.annotations.NullMarked;
