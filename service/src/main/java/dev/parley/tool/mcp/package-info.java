/** MCP servers as tool providers. */
@NullMarked
package dev.parley.tool.mcp;

import org.jspecify.annotations.NullMarked;
