package dev.parley.http.filter;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IfMatch;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Rejects an {@code Idempotency-Key} or {@code If-Match} that is empty or repeated. Resources would get none or an
 * arbitrary one, and the client would wrongly consider itself protected.
 */
public final class SingleHeaderFilter {
    @ServerRequestFilter(nonBlocking = true)
    public void check(HttpServerRequest request) {
        require(
                request,
                IdempotencyKeys.HEADER,
                "'Idempotency-Key' must occur once, with 1 to 255 visible ASCII characters.");
        require(request, IfMatch.HEADER, "'If-Match' must occur once, with * or a list of entity tags.");
    }

    private static void require(HttpServerRequest request, String header, String detail) {
        List<String> values = request.headers().getAll(header);
        if (values.size() > 1 || (values.size() == 1 && values.getFirst().isBlank())) {
            throw ApiProblem.invalid(Violation.parameter(ViolationCode.REPEATED, header, detail));
        }
    }
}
