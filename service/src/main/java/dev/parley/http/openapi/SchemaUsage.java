package dev.parley.http.openapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Finds the component schemas that requests use. A schema used by both requests and responses gets a copy for requests,
 * because a response has more required members.
 */
final class SchemaUsage {
    static final String PREFIX = "#/components/schemas/";
    private static final String SUFFIX = "Request";

    private final Components components;
    private final List<Schema> requests;
    private final Set<String> ofRequests;
    private final Set<String> ofResponses;

    SchemaUsage(OpenAPI api) {
        components = api.getComponents();
        List<Operation> operations = operations(api);
        requests = operations.stream()
                .filter(operation -> operation.getRequestBody() != null)
                .flatMap(operation -> schemas(operation.getRequestBody().getContent()))
                .toList();
        ofRequests = reachable(components, requests);
        ofResponses = reachable(
                components,
                operations.stream()
                        .filter(operation -> operation.getResponses() != null)
                        .flatMap(operation -> operation.getResponses().getAPIResponses().values().stream())
                        .flatMap(response -> schemas(response.getContent()))
                        .toList());
    }

    static List<Operation> operations(OpenAPI api) {
        return api.getPaths().getPathItems().values().stream()
                .flatMap(item -> item.getOperations().values().stream())
                .toList();
    }

    boolean isRequest(String name) {
        return ofRequests.contains(name);
    }

    void separateRequestsFromResponses() {
        List<String> shared = ofRequests.stream()
                .filter(ofResponses::contains)
                .filter(name -> schema(name).getProperties() != null)
                .toList();
        Map<String, String> renamed = new LinkedHashMap<>();
        shared.forEach(name -> renamed.put(PREFIX + name, PREFIX + name + SUFFIX));
        shared.forEach(name -> components.addSchema(name + SUFFIX, copy(schema(name))));
        ofRequests.removeAll(shared);
        shared.forEach(name -> ofRequests.add(name + SUFFIX));
        requests.forEach(schema -> redirect(schema, renamed));
        ofRequests.forEach(name -> redirect(schema(name), renamed));
    }

    private Schema schema(String name) {
        return schema(components, name);
    }

    private static Schema schema(Components components, String name) {
        return Objects.requireNonNull(components.getSchemas().get(name), () -> "no schema " + name);
    }

    static Stream<Schema> schemas(@Nullable Content content) {
        return content == null
                ? Stream.of()
                : content.getMediaTypes().values().stream()
                        .map(MediaType::getSchema)
                        .filter(Objects::nonNull);
    }

    /** The names of the component schemas to which the schemas refer, directly or through others. */
    static Set<String> reachable(Components components, Collection<Schema> roots) {
        Set<String> names = new LinkedHashSet<>();
        List<Schema> left = new ArrayList<>(roots);
        while (!left.isEmpty()) {
            Schema next = left.removeLast();
            left.addAll(parts(next));
            String ref = next.getRef();
            if (ref != null && names.add(ref.substring(PREFIX.length()))) {
                left.add(schema(components, ref.substring(PREFIX.length())));
            }
        }
        return names;
    }

    private static void redirect(Schema schema, Map<String, String> renamed) {
        String other = schema.getRef() == null ? null : renamed.get(schema.getRef());
        if (other != null) {
            schema.setRef(other);
        }
        parts(schema).forEach(part -> redirect(part, renamed));
    }

    static List<Schema> parts(Schema schema) {
        List<Schema> parts = new ArrayList<>();
        if (schema.getProperties() != null) {
            parts.addAll(schema.getProperties().values());
        }
        for (List<Schema> several : Arrays.asList(schema.getAnyOf(), schema.getAllOf(), schema.getOneOf())) {
            if (several != null) {
                parts.addAll(several);
            }
        }
        if (schema.getItems() != null) {
            parts.add(schema.getItems());
        }
        if (schema.getAdditionalPropertiesSchema() != null) {
            parts.add(schema.getAdditionalPropertiesSchema());
        }
        return parts;
    }

    /** A deep copy, because references and members of the copy are changed. */
    private static Schema copy(Schema schema) {
        Schema copy = OASFactory.createSchema();
        schema.getAll().forEach((key, value) -> copy.set(key, copyOf(value)));
        return copy;
    }

    private static @Nullable Object copyOf(@Nullable Object value) {
        return switch (value) {
            case Schema schema -> copy(schema);
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> copies = new LinkedHashMap<>();
                map.forEach((key, member) -> copies.put(key, copyOf(member)));
                yield copies;
            }
            case List<?> list ->
                new ArrayList<>(list.stream().map(SchemaUsage::copyOf).toList());
            case null, default -> value;
        };
    }
}
