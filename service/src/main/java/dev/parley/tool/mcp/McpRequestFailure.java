package dev.parley.tool.mcp;

import dev.parley.tool.source.ToolFailure;
import java.io.IOException;

/** Carries a failure through a body's reader. */
class McpRequestFailure extends IOException {
    private static final long serialVersionUID = 1;

    private final transient ToolFailure reason;

    McpRequestFailure(ToolFailure reason) {
        super(reason.detail());
        this.reason = reason;
    }

    static McpRequestFailure invalid(String detail) {
        return new McpRequestFailure(ToolFailure.permanent("Invalid answer", detail));
    }

    ToolFailure reason() {
        return reason;
    }
}
