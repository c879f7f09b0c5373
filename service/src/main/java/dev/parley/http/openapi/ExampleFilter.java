package dev.parley.http.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Adds an example to each JSON body of a request and of a success, made of the examples, defaults and constants of its
 * members. A response has its required members, and a request those that have an example or are required. Runs after
 * the filters that complete schemas.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD, priority = ExampleFilter.PRIORITY)
public final class ExampleFilter implements OASFilter {
    static final int PRIORITY = -50;
    static final String EXAMPLES = "#/components/examples/";
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String ID = "0192f0c1a2b37c4d8e5f60718293a4b5";
    private static final String TIME = "2026-01-31T12:00:00.000Z";

    /** Values of members that many schemas have, unless these have examples. */
    private static final Map<String, Object> MEMBERS = Map.ofEntries(
            Map.entry("actor", "user:" + ID),
            Map.entry("content", "Where is my order 4711?"),
            Map.entry("created_by", "user:" + ID),
            Map.entry("current_tasks", "review"),
            Map.entry("description", "Check the total."),
            Map.entry("detail", "The field '/content_type' is required."),
            Map.entry("email", "ada@example.com"),
            Map.entry("id", "review"),
            Map.entry("name", "Claims"),
            Map.entry("password", "correct horse battery staple"),
            Map.entry("task", "review"),
            Map.entry("task_id", "review"),
            Map.entry("task_name", "Review"),
            Map.entry("title", "Order 4711"),
            Map.entry("url", "https://example.com/hooks"));

    private @Nullable Components components;

    @Override
    public void filterOpenAPI(OpenAPI api) {
        components = api.getComponents();
        SchemaUsage.operations(api).forEach(operation -> {
            if (operation.getRequestBody() != null) {
                complete(operation.getRequestBody().getContent(), true);
            }
            operation.getResponses().getAPIResponses().forEach((status, response) -> {
                if (status.startsWith("2")) {
                    complete(response.getContent(), false);
                }
            });
        });
    }

    private void complete(@Nullable Content content, boolean isRequest) {
        MediaType type = content == null ? null : content.getMediaType("application/json");
        if (type == null || type.getSchema() == null || type.getExamples() != null || isFree(type.getSchema())) {
            return;
        }
        String ref = type.getSchema().getRef();
        Object value = value(type.getSchema(), "", isRequest, Set.of());
        if (ref == null) {
            type.setExample(value);
            return;
        }
        String name = ref.substring(SCHEMAS.length());
        components().addExample(name, OASFactory.createExample().value(value));
        type.addExample("example", OASFactory.createExample().ref(EXAMPLES + name));
    }

    /** Whether any object is allowed, such as a workflow document. */
    private static boolean isFree(Schema schema) {
        return schema.getRef() == null
                && schema.getProperties() == null
                && schema.getType() != null
                && schema.getType().contains(Schema.SchemaType.OBJECT);
    }

    /** @param within the schemas of which the value is a part, which it does not contain again */
    private @Nullable Object value(Schema schema, String name, boolean isRequest, Set<String> within) {
        if ("date-time".equals(schema.getFormat())) {
            return TIME;
        }
        if (schema.getExamples() != null && !schema.getExamples().isEmpty()) {
            return schema.getExamples().getFirst();
        }
        if (schema.getRef() != null) {
            String ref = schema.getRef().substring(SCHEMAS.length());
            Schema target = Objects.requireNonNull(components().getSchemas().get(ref), ref);
            return within.contains(ref)
                    ? null
                    : value(
                            target,
                            name,
                            isRequest,
                            Stream.concat(within.stream(), Stream.of(ref)).collect(Collectors.toSet()));
        }
        if (schema.getDefaultValue() != null) {
            return schema.getDefaultValue();
        }
        if (schema.getEnumeration() != null && !schema.getEnumeration().isEmpty()) {
            return schema.getEnumeration().getFirst();
        }
        List<Schema> alternatives = schema.getAnyOf() == null ? schema.getOneOf() : schema.getAnyOf();
        if (alternatives != null && !alternatives.isEmpty()) {
            boolean isNull = !isRequest
                    && alternatives.stream().anyMatch(ExampleFilter::isNull)
                    && alternatives.getFirst().getExamples() == null;
            return isNull ? null : value(alternatives.getFirst(), name, isRequest, within);
        }
        List<Schema.SchemaType> types = schema.getType() == null ? List.of() : schema.getType();
        if (types.contains(Schema.SchemaType.NULL) && !isRequest) {
            return null;
        }
        return types.stream()
                .filter(type -> type != Schema.SchemaType.NULL)
                .findFirst()
                .map(type -> ofType(type, schema, name, isRequest, within))
                .orElseGet(Map::of);
    }

    private Object ofType(Schema.SchemaType type, Schema schema, String name, boolean isRequest, Set<String> within) {
        return switch (type) {
            case OBJECT -> object(schema, isRequest, within);
            case ARRAY -> {
                Object item = schema.getItems() == null ? null : value(schema.getItems(), name, isRequest, within);
                yield item == null ? List.of() : List.of(item);
            }
            case INTEGER, NUMBER ->
                schema.getMinimum() == null ? 1 : schema.getMinimum().intValue();
            case BOOLEAN -> false;
            default -> MEMBERS.getOrDefault(name, isId(schema) ? ID : name.isEmpty() ? "text" : name.replace('_', ' '));
        };
    }

    private static boolean isId(Schema schema) {
        return schema.getPattern() != null && schema.getPattern().contains("{32}");
    }

    private static boolean isNull(Schema schema) {
        return List.of(Schema.SchemaType.NULL).equals(schema.getType());
    }

    private Map<String, @Nullable Object> object(Schema schema, boolean isRequest, Set<String> within) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, property) -> {
                boolean isUsual = hasExample(property) || MEMBERS.containsKey(name);
                if (required.contains(name) || (isRequest && isUsual)) {
                    members.put(name, value(property, name, isRequest, within));
                }
            });
        }
        return members;
    }

    private static boolean hasExample(Schema schema) {
        return schema.getExamples() != null
                || (schema.getAnyOf() != null && schema.getAnyOf().stream().anyMatch(ExampleFilter::hasExample));
    }

    private Components components() {
        return Objects.requireNonNull(components);
    }
}
