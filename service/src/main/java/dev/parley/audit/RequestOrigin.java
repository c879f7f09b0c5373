package dev.parley.audit;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.http.RequestFilter;
import dev.parley.problem.Text;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Reads the origin of a request. */
@Singleton
final class RequestOrigin {
    private static final int MAX_AGENT_LENGTH = 300;

    private final TrustedProxies proxies;

    RequestOrigin(TrustedProxies proxies) {
        this.proxies = proxies;
    }

    AuditStore.AuditOrigin of(RoutingContext http) {
        HttpServerRequest request = http.request();
        String address = proxies.address(request);
        String agent = request.getHeader("User-Agent");
        return new AuditStore.AuditOrigin(
                address.isEmpty() ? null : address,
                agent == null ? null : Text.truncate(agent, MAX_AGENT_LENGTH),
                http.response().headers().get(RequestFilter.REQUEST_ID));
    }
}
