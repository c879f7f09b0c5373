package dev.parley.http;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Adds to each operation of the OpenAPI document the security that its path has and the errors that follow from what
 * it is: every one of them has the body {@code Problem}. What an operation says of its own errors stays, and gets that
 * body where it names none.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class ErrorResponses implements OASFilter {
    private static final String PROBLEM = "#/components/schemas/Problem";
    private static final String DEVELOPER = "/developer/api";
    private static final String DASHBOARD = "/dashboard/api";

    /** What needs no session. */
    private static final Pattern OPEN =
            Pattern.compile(DASHBOARD + "/(login|setup|invitations/[^/]+|oidc(/start|/callback)?)");

    @Override
    public void filterOpenAPI(OpenAPI api) {
        if (api.getPaths() == null) {
            return;
        }
        api.getPaths().getPathItems().forEach((path, item) -> {
            boolean developer = path.startsWith(DEVELOPER);
            if (developer || path.startsWith(DASHBOARD)) {
                item.getOperations().forEach((method, operation) -> complete(path, method, operation, developer));
            }
        });
    }

    private static void complete(String path, PathItem.HttpMethod method, Operation operation, boolean developer) {
        Map<String, String> errors = new LinkedHashMap<>();
        if (operation.getRequestBody() != null) {
            errors.put("400", "A field is missing, unknown or wrong; `errors` names it");
            errors.put("413", "The body is larger than 1 MiB");
            errors.put("415", "The body is not `application/json`");
        } else if (operation.getParameters() != null
                && operation.getParameters().stream()
                        .anyMatch(p -> p.getIn() != null && p.getIn().toString().equals("query"))) {
            errors.put("400", "A query parameter is wrong; `errors` names it");
        }
        if (hasIdempotencyKey(operation)) {
            errors.putIfAbsent("400", "`Idempotency-Key` is not 1 to 255 visible ASCII characters");
            errors.put("409", "A request with this `Idempotency-Key` is still being worked on");
            errors.put("422", "The `Idempotency-Key` was used with another body, or the organization was deleted");
        }
        boolean open = OPEN.matcher(path).matches();
        if (developer) {
            errors.put("401", "The key is missing, malformed, unknown, expired or revoked");
            errors.put("403", "The key is restricted to another workflow, or to another team");
            errors.putIfAbsent("422", "The key's organization was deleted");
        } else if (!open) {
            errors.put("401", "Nobody is signed in");
        }
        if (!developer && method != PathItem.HttpMethod.GET) {
            errors.put("403", "Another origin's request, or the person's role does not allow it");
        } else if (!developer && path.contains("{orgId}")) {
            errors.put("403", "The person's role does not allow it");
        }
        if (path.contains("{")) {
            errors.put("404", "There is no such thing, or it belongs to another organization");
        }
        errors.put("500", "A fault of the service");
        errors.put("503", "The database cannot be reached; nothing was stored. `Retry-After` says when to try again");
        add(operation, errors);
        if (operation.getSecurity() == null && !open) {
            String scheme = developer ? ApiDescription.API_KEY : ApiDescription.SESSION;
            operation.setSecurity(List.of(OASFactory.createSecurityRequirement().addScheme(scheme)));
        }
    }

    private static boolean hasIdempotencyKey(Operation operation) {
        return operation.getParameters() != null
                && operation.getParameters().stream().anyMatch(p -> Idempotency.HEADER.equals(p.getName()));
    }

    private static void add(Operation operation, Map<String, String> errors) {
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        errors.forEach((status, description) -> {
            if (!operation.getResponses().hasAPIResponse(status)) {
                operation
                        .getResponses()
                        .addAPIResponse(status, OASFactory.createAPIResponse().description(description));
            }
        });
        for (String status :
                new ArrayList<>(operation.getResponses().getAPIResponses().keySet())) {
            APIResponse response = operation.getResponses().getAPIResponse(status);
            if ((status.startsWith("4") || status.startsWith("5")) && response.getContent() == null) {
                response.setContent(OASFactory.createContent().addMediaType("application/json", problem()));
            }
        }
    }

    private static MediaType problem() {
        return OASFactory.createMediaType().schema(OASFactory.createSchema().ref(PROBLEM));
    }
}
