/** PostgreSQL: the embedded server, connections and transactions, migrations, and group commit. */
@NullMarked
package dev.parley.db;

import org.jspecify.annotations.NullMarked;
