/** The one guarded outgoing HTTP client: callbacks, file URLs, tools and models go through it. */
@NullMarked
package dev.parley.egress;

import org.jspecify.annotations.NullMarked;
