/** Reads the headers by which proxies tell of their clients. */
@NullMarked
package dev.parley.forwarded.core;

import org.jspecify.annotations.NullMarked;
