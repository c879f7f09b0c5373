/** PostgreSQL: the embedded one, connections and transactions, migrations, and writes gathered into one commit. */
@NullMarked
package dev.parley.db;

import org.jspecify.annotations.NullMarked;
