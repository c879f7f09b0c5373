/** The origin of a request behind proxies that the operator trusts. */
@NullMarked
package dev.parley.forwarded;

import org.jspecify.annotations.NullMarked;
