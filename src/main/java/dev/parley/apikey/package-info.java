/** API keys: what they are made of, how they are managed, and the authentication of the developer API. */
@NullMarked
package dev.parley.apikey;

import org.jspecify.annotations.NullMarked;
