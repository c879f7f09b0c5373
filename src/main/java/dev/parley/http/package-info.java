/** What every endpoint shares: strict JSON, the one error body, request ids, paging and idempotency. */
@NullMarked
package dev.parley.http;

import org.jspecify.annotations.NullMarked;
