package dev.parley.tool.mcp;

import dev.parley.tool.ToolFailure;
import java.io.IOException;

/** Carries a failure through a body's reader. */
final class McpRequestFailure extends IOException {
    private static final long serialVersionUID = 1;

    private final transient ToolFailure reason;
    private final boolean sessionGone;

    McpRequestFailure(ToolFailure reason, boolean sessionGone) {
        super(reason.detail());
        this.reason = reason;
        this.sessionGone = sessionGone;
    }

    static McpRequestFailure invalid(String detail) {
        return new McpRequestFailure(ToolFailure.permanent("Invalid answer", detail), false);
    }

    ToolFailure reason() {
        return reason;
    }

    /** Whether the server dropped the session, and so has not processed the request. */
    boolean sessionGone() {
        return sessionGone;
    }
}
