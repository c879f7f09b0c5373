/** Providers that are OpenAPI 3 descriptions: each operation is a tool. */
@NullMarked
package dev.parley.tool.openapi;

import org.jspecify.annotations.NullMarked;
