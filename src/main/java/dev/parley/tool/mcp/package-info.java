/** Providers that are MCP servers. */
@NullMarked
package dev.parley.tool.mcp;

import org.jspecify.annotations.NullMarked;
