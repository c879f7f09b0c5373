/** API keys: their format, their management, and the authentication of the developer API. */
@NullMarked
package dev.parley.apikey;

import org.jspecify.annotations.NullMarked;
