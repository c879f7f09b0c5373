package dev.parley.http.openapi;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IfMatch;
import dev.parley.http.access.Access;
import dev.parley.http.access.Routes;
import dev.parley.http.filter.RequestFilter;
import dev.parley.problem.ProblemKind;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/**
 * Adds to each operation of the OpenAPI document its security, and the errors and headers that follow from its path,
 * method and parameters. An error described by the operation itself keeps its description. Every error has the body
 * {@code Problem}.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class OperationFilter implements OASFilter {
    private static final String PROBLEM = "#/components/schemas/Problem";
    static final String RESPONSES = "#/components/responses/";
    static final String HEADERS_REF = "#/components/headers/";
    private static final String JSON = "application/json";
    private static final String DEVELOPER = "/developer/api";
    private static final String DASHBOARD = "/dashboard/api";
    private static final String SIGNED_URLS = "/developer/resume";
    private static final String MESSAGES = DEVELOPER + "/messages";
    private static final String RETRY_AFTER = "Retry-After";

    private static final Map<String, String> HEADERS = Map.of(
            RequestFilter.REQUEST_ID,
            "Identifies the request in the service's log; echoes the request's own",
            RETRY_AFTER,
            "Seconds until the next attempt",
            "WWW-Authenticate",
            "`Bearer`",
            "RateLimit-Policy",
            "The organization's limit, such as `\"messages\";q=100;w=60`",
            "RateLimit",
            "The remaining permits and the seconds until they are renewed, such as `\"messages\";r=99;t=42`",
            IfMatch.ETAG,
            "The resource's revision, for `If-Match`",
            IdempotencyKeys.REPLAYED,
            "`true` when this is the stored response of an earlier request");

    private static final Map<Access.Caller, String> ROLES = Map.of(
            Access.Caller.ADMIN,
            "Owners and admins",
            Access.Caller.OWNER,
            "Owners",
            Access.Caller.OPERATOR,
            "Operators");

    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([^}]+)}");

    /** Errors shared by many operations. Of two with the same status, the first that applies is used. */
    private enum SharedError {
        InvalidRequest(400, "A field or a query parameter is missing, unknown or invalid"),
        InvalidQuery(400, "A query parameter is unknown or invalid"),
        UnexpectedInput(400, "A query parameter is unknown or invalid, or the request has a body other than `{}`"),
        InvalidKey(401, "The key is missing, malformed, unknown, expired or revoked"),
        NotSignedIn(401, "The request has no valid session"),
        KeyRestricted(403, "The key is restricted to another workflow, or to another team"),
        ChangeForbidden(403, "The request comes from another origin, or the user's role does not allow it"),
        RoleForbids(403, "The user's role does not allow it"),
        NotFound(404, "The resource does not exist, or belongs to another organization"),
        NotAcceptable(406, "`Accept` excludes the type of the response"),
        RequestInProgress(409, "A request with this `Idempotency-Key` is still in progress"),
        Changed(412, "`If-Match` names no current revision: `changed_by` and `changed_at` describe the last change"),
        PayloadTooLarge(413, "The body is larger than the route's limit, mostly 1 MiB; `detail` names it"),
        UnsupportedMediaType(415, "The body is not `application/json`"),
        KeyReused(422, "The `Idempotency-Key` was used with another body, or the organization was deleted"),
        OrganizationDeleted(422, "The key's organization was deleted"),
        InternalError(500, "An internal error"),
        Unavailable(503, "The service or its database is unavailable; nothing was stored");

        private final String status;
        private final String description;

        SharedError(int status, String description) {
            this.status = Integer.toString(status);
            this.description = description;
        }
    }

    private final Routes routes;

    public OperationFilter(IndexView index) {
        routes = new Routes(index.getAnnotations(jakarta.ws.rs.Path.class).stream()
                .filter(path -> path.target().kind() == AnnotationTarget.Kind.CLASS)
                .map(path -> load(path.target().asClass().name().toString())));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, OperationFilter.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void filterOpenAPI(OpenAPI api) {
        if (api.getPaths() == null) {
            return;
        }
        HEADERS.forEach((name, description) -> api.getComponents().addHeader(name, header(name, description)));
        addErrorCodes(Objects.requireNonNull(api.getComponents().getSchemas().get("Problem")));
        for (SharedError error : SharedError.values()) {
            APIResponse response = OASFactory.createAPIResponse().description(error.description);
            complete(error.status, response, error == SharedError.RequestInProgress);
            if (error == SharedError.InvalidKey) {
                refer(response, "WWW-Authenticate");
            }
            api.getComponents().addResponse(error.name(), response);
        }
        api.setServers(
                List.of(OASFactory.createServer().url("/").description("The installation that serves this document")));
        nameOperations(api);
        api.getPaths().getPathItems().forEach((path, item) -> {
            if (Stream.of(DEVELOPER, DASHBOARD, SIGNED_URLS).anyMatch(path::startsWith)) {
                item.getOperations().forEach((method, operation) -> complete(path, method, operation));
                addEntityTags(item);
            }
        });
    }

    private static void addErrorCodes(Schema problem) {
        Objects.requireNonNull(problem.getProperties().get("code"))
                .setEnumeration(Stream.of(ProblemKind.values())
                        .filter(kind -> !kind.hasFixedBody())
                        .<Object>map(ProblemKind::code)
                        .toList());
    }

    /** Names the operations of the developer API first, so that theirs do not depend on the dashboard's. */
    private static void nameOperations(OpenAPI api) {
        var ids = new OperationIds();
        api.getPaths().getPathItems().entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, PathItem> one) ->
                                !one.getKey().startsWith(DEVELOPER))
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(one -> one.getValue()
                        .getOperations()
                        .forEach((method, operation) -> operation.setOperationId(ids.unique(
                                operation.getOperationId() == null
                                        ? OperationIds.of(method, one.getKey())
                                        : operation.getOperationId()))));
    }

    private static Header header(String name, String description) {
        Schema.SchemaType type = name.equals(RETRY_AFTER) ? Schema.SchemaType.INTEGER : Schema.SchemaType.STRING;
        return OASFactory.createHeader()
                .description(description)
                .schema(OASFactory.createSchema().addType(type));
    }

    private void complete(String path, PathItem.HttpMethod method, Operation operation) {
        addParameters(path, method, operation);
        boolean developer = path.startsWith(DEVELOPER);
        Access.Caller caller = routes.caller(method.name(), path.replaceAll("[{}]", ""));
        boolean open = caller == Access.Caller.OPEN;
        describeCaller(operation, caller);
        boolean once = hasParameter(operation, IdempotencyKeys.HEADER);
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        operation.getResponses().getAPIResponses().forEach((status, response) -> {
            complete(status, response, once);
            if (!isError(status) && once) {
                refer(response, IdempotencyKeys.REPLAYED);
            }
        });
        Set<SharedError> errors = new LinkedHashSet<>();
        addInputErrors(method, operation, errors);
        addAuthorizationErrors(path, method, caller, errors);
        errors.add(SharedError.InternalError);
        errors.add(SharedError.Unavailable);
        for (SharedError error : errors) {
            if (!operation.getResponses().hasAPIResponse(error.status)) {
                operation.getResponses().addAPIResponse(error.status, shared(error, path));
            }
        }
        if (path.equals(MESSAGES)) {
            operation.getResponses().getAPIResponses().forEach((status, response) -> addRateLimit(status, response));
        }
        if (operation.getSecurity() == null && !open) {
            String scheme = developer ? ApiDescription.API_KEY : ApiDescription.SESSION;
            operation.setSecurity(List.of(OASFactory.createSecurityRequirement().addScheme(scheme)));
        }
    }

    /** Says which role a route needs, unless its description does because the rule has exceptions. */
    private static void describeCaller(Operation operation, Access.@Nullable Caller caller) {
        String role = caller == null ? null : ROLES.get(caller);
        String description = operation.getDescription();
        if (role != null && (description == null || !description.startsWith(role))) {
            operation.setDescription(description == null ? role + "." : role + ". " + description);
        }
    }

    /**
     * Adds what routes of both APIs read from the request themselves: the parameters of the path, and the idempotency
     * key of the developer API.
     */
    private static void addParameters(String path, PathItem.HttpMethod method, Operation operation) {
        PATH_PARAMETER
                .matcher(path)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !hasParameter(operation, name))
                .sorted()
                .forEach(name -> operation.addParameter(ParameterSchemaFilter.complete(OASFactory.createParameter()
                        .name(name)
                        .in(Parameter.In.PATH)
                        .required(true))));
        if (path.startsWith(DEVELOPER)
                && method == PathItem.HttpMethod.POST
                && !hasParameter(operation, IdempotencyKeys.HEADER)) {
            operation.addParameter(ParameterSchemaFilter.complete(
                    OASFactory.createParameter().name(IdempotencyKeys.HEADER).in(Parameter.In.HEADER)));
        }
    }

    /** Resources whose changes accept {@code If-Match} return an {@code ETag} when they are read or changed. */
    private static void addEntityTags(PathItem item) {
        boolean tagged = item.getOperations().values().stream().anyMatch(one -> hasParameter(one, IfMatch.HEADER));
        Stream.of(item.getGET(), item.getPUT(), item.getPATCH())
                .filter(operation -> tagged && operation != null)
                .forEach(operation -> refer(operation.getResponses().getAPIResponse("200"), IfMatch.ETAG));
    }

    private static boolean hasParameter(Operation operation, String name) {
        return operation.getParameters() != null
                && operation.getParameters().stream().anyMatch(p -> name.equals(p.getName()));
    }

    /** A reference to the shared error, unless the operation's errors have headers of their own. */
    private static APIResponse shared(SharedError error, String path) {
        if (!path.equals(MESSAGES) || error == SharedError.InvalidKey) {
            return OASFactory.createAPIResponse().ref(RESPONSES + error.name());
        }
        APIResponse response = OASFactory.createAPIResponse().description(error.description);
        complete(error.status, response, error == SharedError.RequestInProgress);
        return response;
    }

    private static void addInputErrors(PathItem.HttpMethod method, Operation operation, Set<SharedError> errors) {
        boolean reads = method == PathItem.HttpMethod.GET;
        if (operation.getRequestBody() != null) {
            errors.add(SharedError.InvalidRequest);
        } else {
            errors.add(reads ? SharedError.InvalidQuery : SharedError.UnexpectedInput);
        }
        if (!reads) {
            errors.add(SharedError.PayloadTooLarge);
            errors.add(SharedError.UnsupportedMediaType);
        }
        errors.add(SharedError.NotAcceptable);
        if (hasParameter(operation, IfMatch.HEADER)) {
            errors.add(SharedError.Changed);
        }
        if (hasParameter(operation, IdempotencyKeys.HEADER)) {
            errors.add(SharedError.RequestInProgress);
            errors.add(SharedError.KeyReused);
        }
    }

    private static void addAuthorizationErrors(
            String path, PathItem.HttpMethod method, Access.@Nullable Caller caller, Set<SharedError> errors) {
        if (path.startsWith(DEVELOPER)) {
            errors.add(SharedError.InvalidKey);
            errors.add(SharedError.KeyRestricted);
            errors.add(SharedError.OrganizationDeleted);
        } else if (path.startsWith(DASHBOARD)) {
            if (caller != Access.Caller.OPEN) {
                errors.add(SharedError.NotSignedIn);
            }
            if (method != PathItem.HttpMethod.GET) {
                errors.add(SharedError.ChangeForbidden);
            } else if (path.contains("{orgId}") || caller == Access.Caller.OPERATOR) {
                errors.add(SharedError.RoleForbids);
            }
        }
        if (path.contains("{")) {
            errors.add(SharedError.NotFound);
        }
    }

    /** @param retried whether a 409 carries Retry-After */
    private static void complete(String status, APIResponse response, boolean retried) {
        refer(response, RequestFilter.REQUEST_ID);
        if (status.equals("429") || status.equals("503") || (status.equals("409") && retried)) {
            refer(response, RETRY_AFTER);
        }
        if (isError(status) && response.getContent() == null) {
            response.setContent(OASFactory.createContent()
                    .addMediaType(
                            JSON,
                            OASFactory.createMediaType()
                                    .schema(OASFactory.createSchema().ref(PROBLEM))));
        }
    }

    private static void addRateLimit(String status, APIResponse response) {
        if (!status.equals("401")) {
            refer(response, "RateLimit-Policy");
            refer(response, "RateLimit");
        }
    }

    private static void refer(APIResponse response, String header) {
        response.addHeader(header, OASFactory.createHeader().ref(HEADERS_REF + header));
    }

    private static boolean isError(String status) {
        return status.startsWith("4") || status.startsWith("5");
    }
}
