package dev.parley.ratelimit;

import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.RequestFilter;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Runs for POST /messages and OpenAI's two dialects after authentication and before the body is read. Rejects requests of an organization known
 * to be over its limit, and adds the RateLimit headers to every response.
 */
@Singleton
public final class RateLimitFilter {
    private static final Set<String> PATHS = Set.of("/developer/api/messages", "/v1/chat/completions", "/v1/responses");

    private final RateLimits limits;

    public RateLimitFilter(RateLimits limits) {
        this.limits = limits;
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, RequestFilter.RATE_LIMIT);
    }

    private void handle(RoutingContext request) {
        if (!HttpMethod.POST.equals(request.request().method()) || !PATHS.contains(RequestFilter.path(request))) {
            request.next();
            return;
        }
        ApiKeyCaller caller = ApiKeyCaller.of(request);
        int limit = caller.messagesPerMinute();
        request.addHeadersEndHandler(_ -> {
            RateLimits.Quota quota = limits.quota(caller.organization(), limit);
            request.response()
                    .putHeader("RateLimit-Policy", "\"messages\";q=" + limit + ";w=60")
                    .putHeader("RateLimit", "\"messages\";r=" + quota.remaining() + ";t=" + quota.resetSeconds());
        });
        if (limits.isExhausted(caller.organization(), limit)) {
            ProblemResponse.write(request, limits.rejection(caller.organization(), limit));
        } else {
            request.next();
        }
    }
}
