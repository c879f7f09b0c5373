/** Backups of an installation: database, files and master key in one archive. */
@NullMarked
package dev.parley.backup;

import org.jspecify.annotations.NullMarked;
