package dev.parley.organization.session;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.problem.Text;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * The browser of a request that starts a session or is logged.
 *
 * @param address for the throttle and the list of the user's sessions
 * @param userAgent for the list of the user's sessions, at most 300 characters
 * @param deviceToken the cookie of {@link KnownDevices}; null if the browser has none
 */
public record SessionClient(
        String address,
        @Nullable String userAgent,
        @Nullable String deviceToken) {
    private static final int MAX_AGENT_LENGTH = 300;

    public static SessionClient of(HttpServerRequest request, TrustedProxies proxies) {
        String agent = request.getHeader("User-Agent");
        Cookie device = request.getCookie(KnownDevices.COOKIE);
        return new SessionClient(
                proxies.address(request),
                agent == null ? null : Text.truncate(agent, MAX_AGENT_LENGTH),
                device == null ? null : device.getValue());
    }

    @Override
    public String toString() {
        return "SessionClient[" + address + "]";
    }
}
