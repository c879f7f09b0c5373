/** The PostgreSQL server that the service runs itself when no other is set. */
@NullMarked
package dev.parley.db.embedded;

import org.jspecify.annotations.NullMarked;
