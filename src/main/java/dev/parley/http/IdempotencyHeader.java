package dev.parley.http;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses an {@code Idempotency-Key} that is empty or there twice: a resource would be given none, or one of them, and
 * the client would believe itself protected.
 */
public final class IdempotencyHeader {
    @ServerRequestFilter(nonBlocking = true)
    public void check(HttpServerRequest request) {
        List<String> keys = request.headers().getAll(IdempotencyKeys.HEADER);
        if (keys.size() > 1 || (keys.size() == 1 && keys.getFirst().isBlank())) {
            throw ApiProblem.invalid(Violation.parameter(
                    "Idempotency-Key",
                    "'Idempotency-Key' must be there once, with 1 to 255 visible ASCII characters."));
        }
    }
}
