/** Where a request really comes from, when it came by proxies that the operator trusts. */
@NullMarked
package dev.parley.forwarded;

import org.jspecify.annotations.NullMarked;
