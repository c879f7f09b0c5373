/** Shared by all endpoints: strict JSON, the error body, request ids, paging and idempotency. */
@NullMarked
package dev.parley.http;

import org.jspecify.annotations.NullMarked;
