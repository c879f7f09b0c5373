/** Reads documents and tables that came from strangers, in processes of their own. */
@NullMarked
package dev.parley.document;

import org.jspecify.annotations.NullMarked;
