package dev.parley.workflow.definition.core.document;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of an object in the agent document. It may have no others. */
public final class ObjectShape {
    private final Map<String, DocumentProperty<?>> byName = new LinkedHashMap<>();

    public ObjectShape(Collection<DocumentProperty<?>> properties) {
        properties.forEach(property -> byName.put(property.name(), property));
    }

    public static ObjectShape of(DocumentProperty<?>... properties) {
        return new ObjectShape(List.of(properties));
    }

    public Collection<DocumentProperty<?>> properties() {
        return byName.values();
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    public List<String> required() {
        return byName.values().stream()
                .filter(DocumentProperty::required)
                .map(DocumentProperty::name)
                .toList();
    }

    public Map<String, @Nullable Object> schema() {
        Map<String, @Nullable Object> schemas = new LinkedHashMap<>();
        byName.forEach((name, property) -> schemas.put(name, property.schema()));
        return SchemaParts.object(required(), schemas);
    }
}
