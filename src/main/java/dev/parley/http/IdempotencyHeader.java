package dev.parley.http;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Rejects an {@code Idempotency-Key} that is empty or repeated. Resources would get none or an arbitrary one, and the
 * client would wrongly consider itself protected.
 */
public final class IdempotencyHeader {
    @ServerRequestFilter(nonBlocking = true)
    public void check(HttpServerRequest request) {
        List<String> keys = request.headers().getAll(IdempotencyKeys.HEADER);
        if (keys.size() > 1 || (keys.size() == 1 && keys.getFirst().isBlank())) {
            throw ApiProblem.invalid(Violation.parameter(
                    "Idempotency-Key", "'Idempotency-Key' must occur once, with 1 to 255 visible ASCII characters."));
        }
    }
}
