/** Reads untrusted documents and tables in separate processes. */
@NullMarked
package dev.parley.document;

import org.jspecify.annotations.NullMarked;
