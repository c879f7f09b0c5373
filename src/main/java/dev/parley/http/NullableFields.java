package dev.parley.http;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.FieldInfo;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.RecordComponentInfo;
import org.jspecify.annotations.Nullable;

/**
 * Says in the OpenAPI document which members may be null: those whose record component is {@code @Nullable}, so that the
 * document cannot say something else than the code. A member that a request requires stays as it is.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class NullableFields implements OASFilter {
    private static final DotName NULLABLE = DotName.createSimple(Nullable.class);

    private static final DotName IGNORED = DotName.createSimple(JsonIgnore.class);
    private static final DotName UNWRAPPED = DotName.createSimple(JsonUnwrapped.class);

    /** For each record its members by name, and whether each may be null. */
    private final List<Map<String, Boolean>> records = new ArrayList<>();

    public NullableFields(IndexView index) {
        for (ClassInfo type : index.getKnownClasses()) {
            if (type.isRecord() && type.name().toString().startsWith("dev.parley.")) {
                records.add(members(index, type));
            }
        }
    }

    @Override
    public void filterOpenAPI(OpenAPI api) {
        if (api.getComponents() == null || api.getComponents().getSchemas() == null) {
            return;
        }
        api.getComponents().getSchemas().forEach((_, schema) -> {
            if (schema.getProperties() != null) {
                // Records with the same members are the same to the document, however it names them.
                Set<String> names = Set.copyOf(schema.getProperties().keySet());
                records.stream()
                        .filter(members -> members.keySet().equals(names))
                        .forEach(members -> complete(schema, members));
            }
        });
    }

    /** The members that show, with those of members that are unwrapped into it. */
    private static Map<String, Boolean> members(IndexView index, ClassInfo type) {
        Map<String, Boolean> members = new LinkedHashMap<>();
        for (RecordComponentInfo component : type.recordComponents()) {
            FieldInfo field = type.field(component.name());
            ClassInfo unwrapped = field.hasAnnotation(UNWRAPPED)
                    ? index.getClassByName(field.type().name())
                    : null;
            if (unwrapped != null) {
                members.putAll(members(index, unwrapped));
            } else if (!field.hasAnnotation(IGNORED)) {
                members.put(snakeCase(component.name()), component.type().hasAnnotation(NULLABLE));
            }
        }
        return members;
    }

    private static void complete(Schema schema, Map<String, Boolean> members) {
        Map<String, Schema> properties = new LinkedHashMap<>(schema.getProperties());
        List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
        members.forEach((name, nullable) -> {
            if (nullable && !required.contains(name)) {
                properties.computeIfPresent(name, (_, property) -> orNull(property));
            }
        });
        schema.setProperties(properties);
    }

    private static Schema orNull(Schema property) {
        if (property.getType() != null && property.getType().contains(Schema.SchemaType.NULL)) {
            return property;
        }
        boolean alreadyAlternatives =
                property.getAnyOf() != null && !property.getAnyOf().isEmpty();
        if (property.getRef() == null && property.getEnumeration() == null && !alreadyAlternatives) {
            return property.getType() == null ? property : property.addType(Schema.SchemaType.NULL);
        }
        if (alreadyAlternatives) {
            return property;
        }
        return OASFactory.createSchema()
                .anyOf(List.of(property, OASFactory.createSchema().addType(Schema.SchemaType.NULL)));
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
