package dev.parley.audit;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.http.filter.RequestFilter;
import dev.parley.organization.session.SessionClient;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Reads the origin of a request. */
@Singleton
final class RequestOrigin {
    private final TrustedProxies proxies;

    RequestOrigin(TrustedProxies proxies) {
        this.proxies = proxies;
    }

    AuditStore.AuditOrigin of(RoutingContext http) {
        SessionClient client = SessionClient.of(http.request(), proxies);
        return new AuditStore.AuditOrigin(
                client.address().isEmpty() ? null : client.address(),
                client.userAgent(),
                http.response().headers().get(RequestFilter.REQUEST_ID));
    }
}
