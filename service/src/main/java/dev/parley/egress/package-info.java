/** The guarded outgoing HTTP client, used for callbacks, file URLs, tools and models. */
@NullMarked
package dev.parley.egress;

import org.jspecify.annotations.NullMarked;
