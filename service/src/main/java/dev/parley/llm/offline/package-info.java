/** The chat model that needs no service: fixed rules, for a first run and for tests. */
@NullMarked
package dev.parley.llm.offline;

import org.jspecify.annotations.NullMarked;
