package dev.parley.http.filter;

import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.UuidV7;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Writes every error of the API in the same format. */
public final class ProblemResponse {
    private static final Logger LOG = Logger.getLogger(ProblemResponse.class);

    /** The root of the routes with the objects and errors of OpenAI's API. */
    public static final String OPENAI_PATH = "/v1";

    @ServerExceptionMapper(priority = 1)
    public Response problem(ApiProblem problem, UriInfo uri) {
        return response(problem, uri);
    }

    @ServerExceptionMapper(priority = 1)
    public Response framework(WebApplicationException e, UriInfo uri) {
        // The framework wraps what the converter of a parameter throws.
        return response(
                e.getCause() instanceof ApiProblem problem
                        ? problem
                        : ofStatus(
                                e.getResponse().getStatus(),
                                uri.getAbsolutePath().getPath()),
                uri);
    }

    @ServerExceptionMapper(priority = 1)
    public Response unexpected(Throwable e, UriInfo uri) {
        return response(of(e), uri);
    }

    /** Translates any exception to a problem. An unexpected one is logged in full and returned only as INTERNAL. */
    public static ApiProblem of(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ApiProblem problem) {
            return problem;
        }
        if (cause instanceof HttpException http) {
            return ofStatus(http.getStatusCode());
        }
        if (cause instanceof WebApplicationException web) {
            return ofStatus(web.getResponse().getStatus());
        }
        if (cause instanceof Exception e && Database.translate(e) instanceof ApiProblem outage) {
            return outage;
        }
        LOG.error("A request failed unexpectedly", cause);
        return ApiProblem.of(
                ProblemKind.INTERNAL, "An internal error occurred. The request id identifies it in the service's log.");
    }

    /** The problem for a failure of a request to this path whose status is all that the framework reports. */
    public static ApiProblem ofStatus(int status, String path) {
        return status == ProblemKind.PAYLOAD_TOO_LARGE.status()
                ? JsonBodyReader.tooLarge(JsonBodyReader.maxBody(path))
                : ofStatus(status);
    }

    /** The problem for a failure whose status is all that the framework reports. */
    public static ApiProblem ofStatus(int status) {
        return switch (status) {
            case 401 -> ApiProblem.of(ProblemKind.AUTHENTICATION_FAILED, "Credentials are required.");
            case 403 -> ApiProblem.of(ProblemKind.FORBIDDEN, "This is not allowed.");
            case 404 -> ApiProblem.of(ProblemKind.NOT_FOUND, "There is nothing at this address.");
            case 405 -> ApiProblem.of(ProblemKind.METHOD_NOT_ALLOWED, "This address does not support this method.");
            case 406 -> ApiProblem.of(ProblemKind.NOT_ACCEPTABLE, "The response is application/json.");
            case 413 -> ApiProblem.of(ProblemKind.PAYLOAD_TOO_LARGE, "The body is too large.");
            case 414 -> ApiProblem.of(ProblemKind.URI_TOO_LONG, "The request's address is too long.");
            case 415 -> ApiProblem.of(ProblemKind.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.");
            case 431 -> ApiProblem.of(ProblemKind.HEADERS_TOO_LARGE, "The request's headers are too large.");
            default ->
                status >= 400 && status < 500
                        ? ApiProblem.of(ProblemKind.INVALID_REQUEST, "The request cannot be read.")
                        : ApiProblem.of(ProblemKind.INTERNAL, "An internal error occurred.");
        };
    }

    public static Response response(ApiProblem problem) {
        return response(problem, body(problem));
    }

    private static Response response(ApiProblem problem, UriInfo uri) {
        return response(problem, body(problem, uri.getAbsolutePath().getPath()));
    }

    private static Response response(ApiProblem problem, Map<String, Object> body) {
        Response.ResponseBuilder response = Response.status(problem.kind().status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(StrictJson.writeBytes(body));
        headers(problem).forEach(response::header);
        return response.build();
    }

    /** Writes a problem outside of JAX-RS: from a filter, or when no resource matches. */
    public static void write(RoutingContext request, ApiProblem problem) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.headWritten()) {
            return;
        }
        response.setStatusCode(problem.kind().status());
        if (!response.headers().contains(RequestFilter.REQUEST_ID)) {
            // The router rejected the request before any filter ran.
            response.putHeader(RequestFilter.REQUEST_ID, UuidV7.text(UuidV7.next()));
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        headers(problem).forEach(response::putHeader);
        response.end(
                io.vertx.core.buffer.Buffer.buffer(StrictJson.writeBytes(body(problem, RequestFilter.path(request)))));
    }

    /** The error body in the dialect of the path. */
    static Map<String, Object> body(ApiProblem problem, String path) {
        return path.equals(OPENAI_PATH) || path.startsWith(OPENAI_PATH + "/") ? openAi(problem) : body(problem);
    }

    /** The error body of OpenAI's API. */
    public static Map<String, Object> openAi(ApiProblem problem) {
        int status = problem.kind().status();
        String type =
                switch (status) {
                    case 401 -> "authentication_error";
                    case 403 -> "permission_error";
                    case 429 -> "rate_limit_error";
                    default -> status >= 500 ? "server_error" : "invalid_request_error";
                };
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("message", problem.detail());
        error.put("type", type);
        List<Violation> violations = problem.faults();
        // messages[0].role instead of /messages/0/role
        error.put(
                "param",
                violations.isEmpty()
                        ? null
                        : violations
                                .getFirst()
                                .field()
                                .replaceAll("/([0-9]+)(?=/|$)", "[$1]")
                                .replace('/', '.'));
        Object code = violations.isEmpty()
                ? problem.kind().code()
                : violations.getFirst().code();
        error.put("code", problem.extra().getOrDefault("code", code));
        return Map.of("error", error);
    }

    /** The error body. */
    public static Map<String, Object> body(ApiProblem problem) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", problem.kind().title());
        if (problem.kind() != ProblemKind.WORKFLOW_NOT_AUTHORIZED) {
            body.put("detail", problem.detail());
        }
        if (problem.kind().hasFixedBody()) {
            return body;
        }
        body.put("code", problem.kind().code());
        if (!problem.faults().isEmpty()) {
            body.put("errors", problem.faults());
        }
        body.putAll(problem.extra());
        return body;
    }

    private static Map<String, String> headers(ApiProblem problem) {
        Map<String, String> headers = new LinkedHashMap<>();
        problem.retryAfter()
                .ifPresent(wait -> headers.put(
                        HttpHeaders.RETRY_AFTER,
                        Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()))));
        if (problem.kind() == ProblemKind.AUTHENTICATION_FAILED) {
            headers.put(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return headers;
    }
}
