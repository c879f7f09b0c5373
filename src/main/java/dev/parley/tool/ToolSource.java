package dev.parley.tool;

/** Knows one kind of provider: finds its tools and calls them. A port; it runs on virtual threads and may block. */
public interface ToolSource {
    ProviderKind kind();

    /**
     * Asks the provider what tools it has.
     *
     * @throws ToolFailure when it cannot be asked, or says nothing that can be understood
     * @throws InterruptedException promptly, when the thread is interrupted
     */
    Discovery discover(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException;

    /**
     * Calls a tool that was found before.
     *
     * @param binding as {@link FoundTool} had it
     */
    ToolOutcome call(ProviderAccess provider, String tool, String binding, ToolCall call)
            throws ToolFailure, InterruptedException;
}
