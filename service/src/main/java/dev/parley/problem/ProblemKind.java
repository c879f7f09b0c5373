package dev.parley.problem;

/**
 * All errors of the API, with their code, their HTTP status and the short title in {@code error}.
 * {@code docs/reference/errors.md} is written from the constants.
 */
public enum ProblemKind {
    INVALID_REQUEST("invalid_request", 400, "Invalid request", "The request is not valid HTTP.", "Correct the client."),
    INVALID_JSON(
            "invalid_json",
            400,
            "Invalid JSON",
            "The body is not valid JSON or not UTF-8; the detail names line and column.",
            "Send one JSON value, without duplicate keys and without text behind it."),
    VALIDATION_FAILED(
            "validation_failed",
            400,
            "Validation failed",
            "The body or a parameter breaks a rule.",
            "Correct what `errors` names; each entry has a code of its own."),
    UNSUPPORTED_FILE_TYPE(
            "unsupported_file_type",
            400,
            "Unsupported file type",
            "Files of this type cannot be uploaded.",
            "Convert the file to a supported type."),
    UNREADABLE_FILE(
            "unreadable_file",
            400,
            "Validation failed",
            "The uploaded file cannot be read as a table; `sheets` names the sheets of a workbook.",
            "Correct the file, or choose another sheet or other types of columns."),
    AUTHENTICATION_FAILED(
            "authentication_failed",
            401,
            "Authentication failed",
            "The API key is missing, unknown, expired or revoked.",
            "Send a valid key: `Authorization: Bearer sk-…`."),
    NOT_SIGNED_IN(
            "not_signed_in",
            401,
            "Not signed in",
            "There is no session, or it ended.",
            "Sign in: `POST /dashboard/api/login`."),
    WRONG_CREDENTIALS(
            "wrong_credentials",
            401,
            "Not signed in",
            "The email address or the password is wrong.",
            "Correct them, or reset the password."),
    FORBIDDEN(
            "forbidden",
            403,
            "Forbidden",
            "The caller may not do this.",
            "Use an account or a key that has the permission."),
    WORKFLOW_NOT_AUTHORIZED(
            "workflow_not_authorized",
            403,
            "API key is not authorized for this workflow",
            "The key is restricted to another workflow.",
            "Use a key of this workflow or one without a restriction."),
    CROSS_SITE_REQUEST(
            "cross_site_request",
            403,
            "Cross-site request refused",
            "A changing request with a session did not come from the dashboard's origin.",
            "Send `X-Requested-With: parley`."),
    URL_EXPIRED("url_expired", 403, "Forbidden", "The upload URL expired.", "Request a new one."),
    NOT_FOUND(
            "not_found",
            404,
            "Not found",
            "There is no such resource, or the caller may not see it.",
            "Check the id and the organization."),
    METHOD_NOT_ALLOWED(
            "method_not_allowed",
            405,
            "Method not allowed",
            "The address does not support the method.",
            "Use a method of the `Allow` header."),
    NOT_ACCEPTABLE(
            "not_acceptable",
            406,
            "Not acceptable",
            "The `Accept` header excludes JSON.",
            "Accept `application/json`."),
    REQUEST_TIMEOUT("request_timeout", 408, "Request timeout", "The request arrived too slowly.", "Send it again."),
    CONFLICT(
            "conflict",
            409,
            "Conflict",
            "The current state does not allow the request; the detail names the reason.",
            "Read the resource again and decide anew."),
    WRONG_STATUS(
            "wrong_status",
            409,
            "Conflict",
            "The status of the resource does not allow the request; `status` is the current one where it is known.",
            "Read the resource; change its status first, or do nothing if it has reached the wanted one."),
    ALREADY_DONE(
            "already_done",
            409,
            "Conflict",
            "What was requested can happen only once and has happened.",
            "Read the resource for the result."),
    NAME_TAKEN("name_taken", 409, "Conflict", "Another resource has the name.", "Choose another name."),
    LIMIT_REACHED(
            "limit_reached",
            409,
            "Conflict",
            "The organization has as many of these as it may have.",
            "Delete one first."),
    IN_USE(
            "in_use",
            409,
            "Conflict",
            "Published workflows use the resource, or would break by the change; `workflows` names at most 10 of them.",
            "Publish the workflows without it, or archive them first."),
    NOT_CHANGEABLE(
            "not_changeable",
            409,
            "Conflict",
            "A resource of this kind does not allow the request.",
            "Create another resource, or use the way that the detail names."),
    NOT_UPLOADED(
            "not_uploaded",
            409,
            "Conflict",
            "The file was not uploaded yet.",
            "Upload it to its URL, and repeat the request."),
    LAST_OWNER(
            "last_owner",
            409,
            "Conflict",
            "The organization would be left without an owner.",
            "Make another member an owner first."),
    KEY_EXPIRED(
            "key_expired",
            409,
            "Conflict",
            "The API key to be rolled is expired or revoked. A request with such a key is `authentication_failed`.",
            "Create a new key."),
    MAIL_NOT_CONFIGURED(
            "mail_not_configured",
            409,
            "Conflict",
            "The installation has no SMTP server.",
            "Ask an admin or an operator for a link."),
    REQUEST_IN_PROGRESS(
            "request_in_progress",
            409,
            "Request in progress",
            "A request with the same `Idempotency-Key` is still being processed.",
            "Repeat it after `Retry-After`."),
    PRECONDITION_FAILED(
            "revision_conflict",
            412,
            "Changed meanwhile",
            "The resource was changed since the revision in `If-Match`.",
            "Read it again, merge, and send the change with the new entity tag."),
    PAYLOAD_TOO_LARGE(
            "payload_too_large",
            413,
            "Payload too large",
            "The body or the file is larger than allowed.",
            "Send less; upload large content as a file."),
    URI_TOO_LONG("uri_too_long", 414, "URI too long", "The address is too long.", "Shorten the query."),
    UNSUPPORTED_MEDIA_TYPE(
            "unsupported_media_type",
            415,
            "Unsupported media type",
            "The body is not uncompressed UTF-8 JSON.",
            "Send `Content-Type: application/json`."),
    RANGE_NOT_SATISFIABLE(
            "range_not_satisfiable",
            416,
            "Range not satisfiable",
            "The requested range lies beyond the file's end.",
            "Use the size of the `Content-Range` header."),
    MISSING_ORGANIZATION(
            "missing_organization",
            422,
            "Missing organization ID",
            "The organization of the API key was deleted.",
            "Use a key of another organization."),
    IDEMPOTENCY_KEY_REUSED(
            "idempotency_key_reused",
            422,
            "Idempotency key reused",
            "The `Idempotency-Key` was used with another body.",
            "Use a new key for each request."),
    ANSWER_FAILED(
            "answer_failed",
            422,
            "No answer",
            "The model or the workflow ended without an answer; the detail names the reason.",
            "Change the request, the model or the workflow."),
    TOO_MANY_REQUESTS(
            "rate_limited",
            429,
            "Too many requests",
            "A rate limit or a limit of concurrent work is reached.",
            "Wait for `Retry-After`."),
    HEADERS_TOO_LARGE(
            "headers_too_large",
            431,
            "Request header fields too large",
            "The headers are too large.",
            "Send fewer or shorter headers."),
    INTERNAL(
            "internal_error",
            500,
            "Internal server error",
            "A fault of the service.",
            "Report it with the `X-Request-Id` of the response."),
    UNAVAILABLE(
            "unavailable",
            503,
            "Service unavailable",
            "The service, its database or its storage is at capacity, restarting or not reachable. Nothing was stored.",
            "Repeat the request after `Retry-After`.");

    private final String code;
    private final int status;
    private final String title;
    private final String cause;
    private final String remedy;

    ProblemKind(String code, int status, String title, String cause, String remedy) {
        this.code = code;
        this.status = status;
        this.title = title;
        this.cause = cause;
        this.remedy = remedy;
    }

    /** The stable name in {@code code}, for programs. */
    public String code() {
        return code;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    public String cause() {
        return cause;
    }

    public String remedy() {
        return remedy;
    }

    /** Whether it is one of the conflicts with the current state of a resource. */
    public boolean isConflict() {
        return title.equals("Conflict");
    }

    /** Whether {@code docs/reference/api.md} promises a body without a code. */
    public boolean hasFixedBody() {
        return this == AUTHENTICATION_FAILED || this == WORKFLOW_NOT_AUTHORIZED;
    }
}
