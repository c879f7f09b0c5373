package dev.parley.workflow.definition.core;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of an object in the agent document. It may have no others. */
final class ObjectShape {
    private final Map<String, DocumentProperty<?>> byName = new LinkedHashMap<>();

    ObjectShape(Collection<DocumentProperty<?>> properties) {
        properties.forEach(property -> byName.put(property.name(), property));
    }

    static ObjectShape of(DocumentProperty<?>... properties) {
        return new ObjectShape(List.of(properties));
    }

    Collection<DocumentProperty<?>> properties() {
        return byName.values();
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    List<String> required() {
        return byName.values().stream()
                .filter(DocumentProperty::required)
                .map(DocumentProperty::name)
                .toList();
    }

    Map<String, @Nullable Object> schema() {
        Map<String, @Nullable Object> schemas = new LinkedHashMap<>();
        byName.forEach((name, property) -> schemas.put(name, property.schema()));
        return SchemaParts.object(required(), schemas);
    }
}
