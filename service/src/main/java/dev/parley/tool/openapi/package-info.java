/** OpenAPI 3 descriptions as tool providers: each operation is a tool. */
@NullMarked
package dev.parley.tool.openapi;

import org.jspecify.annotations.NullMarked;
