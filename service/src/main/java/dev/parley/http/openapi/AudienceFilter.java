package dev.parley.http.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Keeps only the routes of a document's audience, and the components and tags that they use. Runs after the other
 * filters, so both documents describe shared schemas in the same way.
 */
final class AudienceFilter {
    private static final int LAST = -100;
    private static final String DEVELOPER = "/developer/";

    private AudienceFilter() {}

    /** Keeps the routes for API keys, and those whose signed URL is the authorization. */
    @OpenApiFilter(
            stages = OpenApiFilter.RunStage.BUILD,
            priority = LAST,
            documentNames = OpenApiFilter.DEFAULT_DOCUMENT_NAME)
    public static final class DeveloperFilter implements OASFilter {
        @Override
        public void filterOpenAPI(OpenAPI api) {
            keep(api, true);
        }
    }

    /** Keeps the routes of the dashboard. */
    @OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD, priority = LAST, documentNames = ApiDescription.DASHBOARD)
    public static final class DashboardFilter implements OASFilter {
        @Override
        public void filterOpenAPI(OpenAPI api) {
            keep(api, false);
        }
    }

    private static void keep(OpenAPI api, boolean forDevelopers) {
        List.copyOf(api.getPaths().getPathItems().keySet()).stream()
                .filter(path -> path.startsWith(DEVELOPER) != forDevelopers)
                .forEach(api.getPaths()::removePathItem);
        List<Operation> operations = SchemaUsage.operations(api);
        Set<String> tags = operations.stream()
                .flatMap(operation -> operation.getTags().stream())
                .collect(Collectors.toSet());
        api.setTags(api.getTags().stream()
                .filter(tag -> tags.contains(tag.getName()))
                .toList());
        removeUnused(api.getComponents(), operations);
    }

    private static void removeUnused(Components components, List<Operation> operations) {
        Set<String> responses = new HashSet<>();
        List<APIResponse> used = operations.stream()
                .flatMap(operation -> operation.getResponses().getAPIResponses().values().stream())
                .map(response -> resolved(components, response, responses))
                .toList();
        components.setResponses(only(responses, components.getResponses()));
        Set<String> headers = used.stream()
                .filter(response -> response.getHeaders() != null)
                .flatMap(response -> response.getHeaders().values().stream())
                .filter(header -> header.getRef() != null)
                .map(header -> header.getRef().substring(OperationFilter.HEADERS_REF.length()))
                .collect(Collectors.toSet());
        components.setHeaders(only(headers, components.getHeaders()));
        List<Schema> roots = Stream.concat(
                        operations.stream().flatMap(AudienceFilter::inputs),
                        used.stream().flatMap(response -> SchemaUsage.schemas(response.getContent())))
                .toList();
        components.setSchemas(only(SchemaUsage.reachable(components, roots), components.getSchemas()));
        if (components.getExamples() != null) {
            Set<String> examples = Stream.concat(
                            operations.stream()
                                    .filter(operation -> operation.getRequestBody() != null)
                                    .map(operation -> operation.getRequestBody().getContent()),
                            used.stream().map(APIResponse::getContent))
                    .filter(Objects::nonNull)
                    .flatMap(content -> content.getMediaTypes().values().stream())
                    .filter(type -> type.getExamples() != null)
                    .flatMap(type -> type.getExamples().values().stream())
                    .filter(example -> example.getRef() != null)
                    .map(example -> example.getRef().substring(ExampleFilter.EXAMPLES.length()))
                    .collect(Collectors.toSet());
            components.setExamples(only(examples, components.getExamples()));
        }
        Set<String> schemes = operations.stream()
                .filter(operation -> operation.getSecurity() != null)
                .flatMap(operation -> operation.getSecurity().stream())
                .flatMap(requirement -> requirement.getSchemes().keySet().stream())
                .collect(Collectors.toSet());
        components.setSecuritySchemes(only(schemes, components.getSecuritySchemes()));
    }

    private static APIResponse resolved(Components components, APIResponse response, Set<String> names) {
        if (response.getRef() == null) {
            return response;
        }
        String name = response.getRef().substring(OperationFilter.RESPONSES.length());
        names.add(name);
        return Objects.requireNonNull(components.getResponses().get(name), name);
    }

    private static Stream<Schema> inputs(Operation operation) {
        List<Parameter> parameters = operation.getParameters() == null ? List.of() : operation.getParameters();
        return Stream.concat(
                parameters.stream().map(Parameter::getSchema),
                operation.getRequestBody() == null
                        ? Stream.of()
                        : SchemaUsage.schemas(operation.getRequestBody().getContent()));
    }

    private static <T> Map<String, T> only(Set<String> names, Map<String, T> all) {
        Map<String, T> used = new LinkedHashMap<>(all);
        used.keySet().retainAll(names);
        return used;
    }
}
