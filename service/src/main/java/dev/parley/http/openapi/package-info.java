/** The filters that complete the OpenAPI documents, and their general part. */
@NullMarked
package dev.parley.http.openapi;

import org.jspecify.annotations.NullMarked;
