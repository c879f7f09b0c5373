package dev.parley.organization;

import dev.parley.forwarded.TrustedProxies;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** The browser that starts a session, for the list of the user's sessions. */
public record SessionClient(String address, @Nullable String userAgent) {
    private static final int MAX_AGENT_LENGTH = 300;

    public static SessionClient of(HttpServerRequest request, TrustedProxies proxies) {
        String agent = request.getHeader("User-Agent");
        return new SessionClient(
                proxies.address(request),
                agent == null ? null : agent.substring(0, Math.min(agent.length(), MAX_AGENT_LENGTH)));
    }
}
