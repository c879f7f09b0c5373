package dev.parley.problem;

/** All errors of the API, with their HTTP status and the short title in {@code error}. */
public enum ProblemKind {
    INVALID_REQUEST(400, "Invalid request"),
    INVALID_JSON(400, "Invalid JSON"),
    VALIDATION_FAILED(400, "Validation failed"),
    UNSUPPORTED_FILE_TYPE(400, "Unsupported file type"),
    AUTHENTICATION_FAILED(401, "Authentication failed"),
    NOT_SIGNED_IN(401, "Not signed in"),
    FORBIDDEN(403, "Forbidden"),
    WORKFLOW_NOT_AUTHORIZED(403, "API key is not authorized for this workflow"),
    CROSS_SITE_REQUEST(403, "Cross-site request refused"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    NOT_ACCEPTABLE(406, "Not acceptable"),
    REQUEST_TIMEOUT(408, "Request timeout"),
    CONFLICT(409, "Conflict"),
    REQUEST_IN_PROGRESS(409, "Request in progress"),
    PRECONDITION_FAILED(412, "Changed meanwhile"),
    PAYLOAD_TOO_LARGE(413, "Payload too large"),
    URI_TOO_LONG(414, "URI too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
    RANGE_NOT_SATISFIABLE(416, "Range not satisfiable"),
    MISSING_ORGANIZATION(422, "Missing organization ID"),
    IDEMPOTENCY_KEY_REUSED(422, "Idempotency key reused"),
    TOO_MANY_REQUESTS(429, "Too many requests"),
    HEADERS_TOO_LARGE(431, "Request header fields too large"),
    INTERNAL(500, "Internal server error"),
    UNAVAILABLE(503, "Service unavailable");

    private final int status;
    private final String title;

    ProblemKind(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }
}
