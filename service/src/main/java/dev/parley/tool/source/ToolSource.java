package dev.parley.tool.source;

import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressUrl;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Port: discovers and calls the tools of one kind of provider. Runs on virtual threads and may block. */
public interface ToolSource {
    ProviderKind kind();

    /**
     * Discovers the provider's tools.
     *
     * @throws ToolFailure if the provider is unreachable or its response is invalid
     * @throws InterruptedException promptly, when the thread is interrupted
     */
    ToolDiscovery discover(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException;

    /**
     * The operations among which a provider's tools may be chosen; empty for a kind without a choice.
     *
     * @throws ToolFailure if the provider is unreachable or its response is invalid
     */
    default List<OfferedOperation> operations(ProviderAccess provider, Deadline deadline)
            throws ToolFailure, InterruptedException {
        return List.of();
    }

    /**
     * Calls a discovered tool.
     *
     * @param binding from {@link DiscoveredTool}
     */
    ToolOutcome call(ProviderAccess provider, String tool, String binding, ToolCall call)
            throws ToolFailure, InterruptedException;

    /**
     * The HTTP request of a call, without credentials; empty if a call takes more than one request.
     *
     * @throws ToolFailure if the arguments cannot be written into a request
     */
    default Optional<EgressRequest> request(String binding, ToolCall call) throws ToolFailure {
        return Optional.empty();
    }

    /**
     * The origins to which the provider's credentials are sent according to its settings, for comparison before and
     * after a change. Makes no requests.
     *
     * @throws ToolFailure if the settings are invalid
     */
    Set<String> destinations(ProviderAccess provider) throws ToolFailure;

    /** The canonical origin of a URL; an invalid URL, which is never connected to, is returned unchanged. */
    static String origin(String url) {
        try {
            return EgressUrl.parse(url).origin();
        } catch (EgressException _) {
            return url;
        }
    }
}
