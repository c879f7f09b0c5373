package dev.parley.apikey;

import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.filter.EventLoopBridge;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.RequestFilter;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.MDC;

/**
 * Authenticates every request under {@code /developer/api} and {@code /v1}, even without an endpoint, and attaches the
 * {@link ApiKeyCaller}. Runs on the event loop without blocking: a key used in the last half second is cached, others
 * are looked up asynchronously.
 */
@Singleton
public final class ApiKeyAuthentication {
    private static final String PATH = "/developer/api";
    private static final String SCHEME = "Bearer ";

    private final ApiKeyCache keys;
    private final Clock clock;

    public ApiKeyAuthentication(ApiKeyCache keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, RequestFilter.AUTHENTICATION);
    }

    private void handle(RoutingContext request) {
        if (!RequestFilter.isUnder(request, PATH) && !RequestFilter.isUnder(request, ProblemResponse.OPENAI_PATH)) {
            request.next();
            return;
        }
        List<String> headers = request.request().headers().getAll("Authorization");
        String header = headers.isEmpty() ? "" : headers.getFirst();
        boolean isBearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        String key = isBearer ? header.substring(SCHEME.length()).strip() : "";
        if (key.isEmpty()) {
            ProblemResponse.write(
                    request,
                    ApiProblem.of(
                            ProblemKind.AUTHENTICATION_FAILED,
                            "A valid API key is required in the Authorization header as 'Bearer <your-api-key>'."));
        } else if (headers.size() > 1 || !ApiKeyFormat.isWellFormed(key)) {
            ProblemResponse.write(request, invalid());
        } else {
            CompletableFuture<ApiKeyCache.CachedKey> response = keys.find(key);
            if (response.isDone() && !response.isCompletedExceptionally()) {
                decide(request, response.resultNow());
            } else {
                EventLoopBridge.await(request, response, found -> decide(request, found));
            }
        }
    }

    private void decide(RoutingContext request, ApiKeyCache.CachedKey response) {
        ApiKeyCaller caller = response.caller();
        if (caller == null || response.isExpired(clock.instant())) {
            ProblemResponse.write(request, invalid());
        } else if (response.organizationGone()) {
            ProblemResponse.write(
                    request,
                    ApiProblem.of(
                            ProblemKind.MISSING_ORGANIZATION, "The organization of this API key no longer exists."));
        } else {
            caller.attach(request);
            MDC.put("organizationId", caller.organization().text());
            request.next();
        }
    }

    private static ApiProblem invalid() {
        return ApiProblem.of(ProblemKind.AUTHENTICATION_FAILED, "Invalid or inactive API key.");
    }
}
