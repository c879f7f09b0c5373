package dev.parley.tool;

import dev.parley.egress.EgressException;
import dev.parley.egress.EgressUrl;
import java.util.Set;

/** Knows one kind of provider: finds its tools and calls them. A port; it runs on virtual threads and may block. */
public interface ToolSource {
    ProviderKind kind();

    /**
     * Asks the provider what tools it has.
     *
     * @throws ToolFailure when it cannot be asked, or says nothing that can be understood
     * @throws InterruptedException promptly, when the thread is interrupted
     */
    ToolDiscovery discover(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException;

    /**
     * Calls a tool that was found before.
     *
     * @param binding as {@link FoundTool} had it
     */
    ToolOutcome call(ProviderAccess provider, String tool, String binding, ToolCall call)
            throws ToolFailure, InterruptedException;

    /**
     * Where the provider's credentials are sent, as far as its settings tell: to compare those before and after a
     * change. Asks nobody.
     *
     * @throws ToolFailure when the settings cannot be understood
     */
    Set<String> destinations(ProviderAccess provider) throws ToolFailure;

    /** Scheme, host and port of a URL in one spelling; what is no such URL is never connected to, and stays as it is. */
    static String origin(String url) {
        try {
            return EgressUrl.parse(url).origin();
        } catch (EgressException _) {
            return url;
        }
    }
}
