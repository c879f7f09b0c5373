package dev.parley.http.filter;

import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.OrganizationMember;
import dev.parley.id.OrganizationId;
import dev.parley.trace.SpanAttributes;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** The span of a request to one of the APIs. Files of the dashboard have none. */
final class RequestSpan {
    /** The id of the request's trace. */
    static final String HEADER = "Parley-Trace-Id";

    private static final List<String> TRACED = List.of("/developer", "/dashboard/api", ProblemResponse.OPENAI_PATH);

    private RequestSpan() {}

    static void start(RoutingContext context) {
        if (TRACED.stream().noneMatch(prefix -> RequestFilter.isUnder(context, prefix))) {
            return;
        }
        HttpServerRequest request = context.request();
        String method = request.method().name();
        TraceSpan span = Tracing.request(
                method, request.getHeader("traceparent"), request.headers().getAll("tracestate"));
        String traceId = span.traceId();
        if (traceId != null) {
            context.response().headers().set(HEADER, traceId);
        }
        context.addEndHandler(_ -> end(context, method, span));
    }

    private static void end(RoutingContext context, String method, TraceSpan span) {
        String path = RequestFilter.redactedPath(RequestFilter.path(context));
        int status = context.response().getStatusCode();
        // A path that no route has could be anything.
        span.rename(status == 404 ? method : method + ' ' + RequestFilter.withoutIds(path));
        span.set(SpanAttributes.REQUEST_METHOD, method)
                .set(SpanAttributes.URL_PATH, path)
                .set(SpanAttributes.RESPONSE_STATUS, status);
        ApiKeyCaller.find(context)
                .map(ApiKeyCaller::organization)
                .or(() -> member(context))
                .ifPresent(span::set);
        if (status >= 500) {
            span.fail(Integer.toString(status));
        }
        span.close();
    }

    private static Optional<OrganizationId> member(RoutingContext context) {
        return OrganizationMember.find(context).map(OrganizationMember::organization);
    }
}
