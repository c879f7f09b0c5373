package dev.parley.http.filter;

import dev.parley.problem.ApiProblem;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Rejects a request before its body was read. Drains a body of acceptable size first: a client that is still sending
 * when the connection closes would see a reset instead of the response.
 */
public final class RequestRejection {
    private static final long MAX_DRAINED_BYTES = 100L << 20;
    private static final int DIGITS_OF_A_LONG = 18;

    private RequestRejection() {}

    public static void afterBody(RoutingContext context, ApiProblem problem) {
        HttpServerRequest request = context.request();
        if (request.getHeader("Expect") != null || !isDrainable(request.getHeader("Content-Length"))) {
            context.response().putHeader("Connection", "close");
            ProblemResponse.write(context, problem);
            return;
        }
        long[] drained = {0};
        request.handler(buffer -> {
            drained[0] += buffer.length();
            if (drained[0] > MAX_DRAINED_BYTES) {
                request.connection().close();
            }
        });
        request.endHandler(_ -> ProblemResponse.write(context, problem));
        request.resume();
    }

    /** A body of undeclared length is counted while it arrives. */
    private static boolean isDrainable(@org.jspecify.annotations.Nullable String length) {
        return length == null
                || (length.length() <= DIGITS_OF_A_LONG
                        && length.matches("[0-9]+")
                        && Long.parseLong(length) <= MAX_DRAINED_BYTES);
    }
}
