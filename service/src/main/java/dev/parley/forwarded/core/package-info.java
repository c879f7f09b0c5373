/** Parses the headers in which proxies record their clients. */
@NullMarked
package dev.parley.forwarded.core;

import org.jspecify.annotations.NullMarked;
