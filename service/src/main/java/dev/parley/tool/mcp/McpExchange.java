package dev.parley.tool.mcp;

import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ToolFailure;
import java.util.Map;

/** Carries JSON-RPC messages to an MCP server, and answers the server's own requests. */
interface McpExchange extends AutoCloseable {
    /**
     * Sends a request and returns the response with its id.
     *
     * @throws McpSession.SessionGoneException if the server has dropped the session, and so has not processed the request
     */
    Map<?, ?> request(Map<String, ?> request, Deadline deadline)
            throws ToolFailure, InterruptedException, McpSession.SessionGoneException;

    /** Sends a message that has no response. A failure shows with the next request. */
    void send(Map<String, ?> message, Deadline deadline) throws InterruptedException;

    /** Called with the protocol version that the server chose. */
    default void agree(String version) {}

    @Override
    void close();
}
